const outlines = @OUTLINES@;
const $ = id => document.getElementById(id);
const element = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};
// Escapes a text for markup and attributes. Our texts may come from files of strangers, so all of them pass through
// here.
const escaped = text => String(text).replace(/[&<>"'`]/g, letter => `&#${letter.charCodeAt(0)};`);
// Highlights all elements of the page that belong to the position with this number.
const mark = number => {
  document.querySelectorAll(".chosen").forEach(old => old.classList.remove("chosen"));
  document.querySelectorAll(`[data-number="${number}"]`).forEach(now => now.classList.add("chosen"));
};
// Lets the arrow keys move through the rows of a table, and Enter or the space bar choose a row.
const moveByKeys = body => body.addEventListener("keydown", event => {
  const line = event.target.closest("tr");
  const next = { ArrowDown: line.nextElementSibling, ArrowUp: line.previousElementSibling,
    Home: line.parentNode.firstElementChild, End: line.parentNode.lastElementChild }[event.key];
  if (next) {
    line.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  } else if (event.key === "Enter" || event.key === " ") {
    line.click();
  } else return;
  event.preventDefault();
});
const pawns = centipawns => (centipawns < 0 ? "−" : "+") + Math.abs(centipawns / 100).toFixed(2);

// Draws the board of a FEN as SVG with coordinates. Black is at the bottom if `turned`; squares in `marked` (e2, e4)
// are highlighted.
const board = (fen, turned = false, marked = []) => {
  const kinds = "pnbrqk", files = "abcdefgh";
  const place = (x, y) => turned ? [7 - x, 7 - y] : [x, y];
  let svg = `<svg class="board" viewBox="0 0 360 360" role="img" aria-label="Board: ${escaped(fen)}">`;
  for (let square = 0; square < 64; square++) {
    const x = square % 8, y = square >> 3, [u, v] = place(x, y), dark = (x + y) % 2;
    const name = files[x] + (8 - y), fill = dark ? "var(--dark)" : "var(--light)", ink = dark ? "var(--light)" : "var(--dark)";
    svg += `<rect x="${45 * u}" y="${45 * v}" width="45" height="45" fill="${fill}"/>`;
    if (marked.includes(name)) svg += `<rect x="${45 * u}" y="${45 * v}" width="45" height="45" fill="#7fa33c" opacity=".5"/>`;
    if (u === 0) svg += `<text x="${45 * u + 2}" y="${45 * v + 12}" font-size="12" fill="${ink}">${8 - y}</text>`;
    if (v === 7) svg += `<text x="${45 * u + 43}" y="${45 * v + 42}" font-size="12" text-anchor="end" fill="${ink}">${files[x]}</text>`;
  }
  fen.split(" ")[0].split("/").forEach((rank, y) => {
    let x = 0;
    for (const letter of rank) {
      const kind = kinds.indexOf(letter.toLowerCase());
      if (kind < 0) { x += Number(letter); continue; }
      const white = letter !== letter.toLowerCase(), [u, v] = place(x, y);
      svg += `<path transform="translate(${45 * u} ${45 * v})" d="${outlines[kind]}" fill="${white ? "#fff" : "#222"}" `
        + `stroke="${white ? "#222" : "#ddd"}"/>`;
      x++;
    }
  });
  return svg + "</svg>";
};

// Returns the FEN, a button that copies it, a link to the Lichess editor and, if there is an `address`, a link to the
// board page.
const actions = (fen, address) => {
  const paragraph = element("p", undefined, "screen"), button = element("button", "Copy FEN"), link = element("a", "Lichess editor");
  button.type = "button";
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(fen);
      button.textContent = "Copied";
    } catch {
      // Pages opened from disk may have no clipboard, so we select the text for copying by hand.
      const text = paragraph.nextElementSibling, range = document.createRange();
      range.selectNodeContents(text);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = "Selected";
    }
    setTimeout(() => button.textContent = "Copy FEN", 1500);
  };
  link.href = `https://lichess.org/editor/${fen.replaceAll(" ", "_")}?variant=chess960`;
  link.rel = "noreferrer";
  paragraph.append(button, " ", link);
  if (address) {
    const open = element("a", "Board");
    open.href = `${address}#fen=${encodeURIComponent(fen.replaceAll(" ", "_"))}`;
    paragraph.append(" ", open);
  }
  return [paragraph, element("p", fen, "pale fen")];
};
