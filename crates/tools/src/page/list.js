// The table of positions of a sweep: search, sorting, keys. The address of the page names the chosen position.
//
// A column has: heading, value to sort by, class, text if it differs from the value, long name. The page supplies:
// show(row, detail), which adds details of a position; isShown(row), which filters the list; filled(found, order),
// which we call when the table has changed.
const origin = `Set ${data.made.set}, ${data.limits} per position, ${data.made.generator}, network ${data.made.network}`;
const positionList = (rows, columns, page) => {
  const orthodoxNumber = 518, maxRows = 960, table = $("list").querySelector("table"), [head, body] = table.children;
  let chosen = null, order = 0, down = false;
  const choose = (row, link = true) => {
    chosen = row;
    $("board").innerHTML = board(row.fen);
    $("detail").replaceChildren(element("h2", `Number ${row.number}: ${row.pieces}`));
    page.show(row, $("detail"));
    $("detail").append(...actions(row.fen, data.board));
    mark(row.number);
    if (link) history.replaceState(null, "", `#${row.number}`);
  };
  const linked = () => rows.find(row => `#${row.number}` === location.hash);
  addEventListener("hashchange", () => linked() && choose(linked(), false));
  const isMatch = row => word => {
    const number = word.match(/^(?:sp:?)?(\d+)$/);
    return number ? row.number === Number(number[1]) : `${row.pieces} ${row.line}`.toLowerCase().includes(word);
  };
  const fill = () => {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean), value = columns[order][1];
    const found = rows.filter(row => words.every(isMatch(row)) && page.isShown(row));
    // Positions without a value come last, in ascending and in descending order.
    found.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === null || y === null) return (x === null) - (y === null) || a.number - b.number;
      return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1) || (a.number - b.number) * (down ? -1 : 1);
    });
    head.querySelectorAll("th").forEach((cell, index) =>
      cell.setAttribute("aria-sort", index === order ? down ? "descending" : "ascending" : "none"));
    $("found").textContent = `${found.length} of ${rows.length}` + (found.length > maxRows ? `, the first ${maxRows} shown` : "");
    body.replaceChildren(...found.slice(0, maxRows).map((row, place) => {
      const line = element("tr");
      line.dataset.number = row.number;
      line.tabIndex = place === 0 ? 0 : -1;
      if (row === chosen) line.className = "chosen";
      columns.forEach(([, get, style, text]) => line.append(element("td", text ? text(row) : get(row), style)));
      line.onclick = () => choose(row);
      return line;
    }));
    page.filled(found, order);
  };
  const sortBy = (index, turned) => {
    [order, down] = [index, turned];
    fill();
  };
  columns.forEach(([name, , style, , title], index) => {
    const cell = element("th", undefined, style === "number" ? style : ""), button = element("button", name);
    button.type = "button";
    if (title) button.title = title;
    cell.scope = "col";
    button.onclick = () => sortBy(index, order === index ? !down : style === "number" && index > 0);
    cell.append(button);
    head.querySelector("tr").append(cell);
  });
  moveByKeys(body);
  $("search").oninput = fill;
  fill();
  choose(linked() || rows.find(row => row.white === orthodoxNumber && row.black === orthodoxNumber) || rows[0], false);
  return { choose, fill, sortBy, turn: () => sortBy(order, !down) };
};
