// Asks questions in rounds, shows the result by grade, repeats missed questions, and prints a sheet with an answer key.
//
// A question has: grade, fen, ask (the task), answer (in a few words), why (the explanation), key (the answer on the
// printed sheet). The page supplies: picture(question, isAnswered), which draws the board; open(question), which lets
// the user answer; close(), which ends answering; none, a text to show if there are no questions. course()
// returns a function that the page calls after each answer, with true if the answer was right, and optionally with a
// verdict in words.
const course = (questions, grades, page) => {
  // The questions of this round, the index of the current question, and whether each answer so far was right.
  let round = questions, index = 0, results = [];
  const next = $("next");
  questions.forEach((question, index) => question.number = index + 1);

  const countRight = () => results.filter(right => right).length;
  const count = () => {
    const done = results.length;
    $("count").textContent = `Question ${index + 1} of ${round.length}, grade ${round[index].grade} of ${grades}`
      + (done ? `; ${countRight()} of ${done} correct` : "");
    $("progress").max = round.length;
    $("progress").value = done;
  };

  const ask = () => {
    const question = round[index];
    $("board").innerHTML = page.picture(question, false);
    $("ask").textContent = question.ask;
    for (const part of ["verdict", "why"]) $(part).textContent = "";
    $("actions").replaceChildren();
    next.disabled = true;
    next.textContent = index + 1 < round.length ? "Next" : "Result";
    count();
    page.open(question);
  };

  const answer = (right, verdict = right ? "Correct." : "Wrong.") => {
    if (results.length > index || !$("result").hidden) return;
    const question = round[index];
    results.push(right);
    $("verdict").textContent = verdict;
    $("why").textContent = question.why;
    $("board").innerHTML = page.picture(question, true);
    $("actions").replaceChildren(...actions(question.fen));
    page.close();
    next.disabled = false;
    next.focus();
    count();
  };

  const begin = chosen => {
    round = chosen;
    index = 0;
    results = [];
    $("result").hidden = true;
    $("course").hidden = false;
    ask();
  };

  const percent = (part, whole) => `${part} of ${whole} (${Math.round(100 * part / whole)} %)`;

  // Shows the result by grade, and every wrongly answered question with its board.
  const finish = () => {
    $("course").hidden = true;
    $("result").hidden = false;
    $("score").textContent = `${percent(countRight(), round.length)} correct.`;
    const table = $("by-grade"), head = element("tr");
    ["Grade", "Correct"].forEach(text => head.append(element("th", text)));
    table.replaceChildren(head);
    for (let grade = 1; grade <= grades; grade++) {
      const all = round.filter(question => question.grade === grade).length;
      const good = round.filter((question, index) => question.grade === grade && results[index]).length;
      if (!all) continue;
      const row = element("tr");
      [grade, percent(good, all)].forEach(text => row.append(element("td", text)));
      table.append(row);
    }
    const wrong = round.filter((question, index) => !results[index]);
    $("mistakes").hidden = $("repeat").hidden = wrong.length === 0;
    $("wrong").replaceChildren(...wrong.map(question => {
      const item = element("li"), details = element("details");
      details.append(element("summary", `${question.ask} ${question.answer}`));
      const picture = element("div");
      picture.style.maxWidth = "20rem";
      picture.innerHTML = page.picture(question, true);
      const why = element("pre", question.why);
      why.style.whiteSpace = "pre-wrap";
      details.append(picture, why);
      item.value = question.number;
      item.append(details);
      return item;
    }));
    $("repeat").onclick = () => begin(wrong);
    $("again").onclick = () => begin(questions);
    $("result").focus();
  };

  const proceed = () => {
    if (results.length <= index) return;
    index++;
    if (index < round.length) ask();
    else finish();
  };

  // Fills the printed sheet: all questions, then all answers.
  const fillSheet = () => {
    if ($("sheet").childElementCount) return;
    const list = element("div", undefined, "questions"), answers = element("ol");
    questions.forEach(question => {
      const part = element("div");
      part.innerHTML = page.picture(question, false);
      part.append(element("p", `${question.number}. ${question.ask} Grade ${question.grade} of ${grades}.`),
        element("p", undefined, "write"), element("p", undefined, "write"));
      list.append(part);
      answers.append(element("li", question.key));
    });
    const key = element("div", undefined, "answers");
    key.append(element("h2", "Answers"), answers);
    $("sheet").append(element("h1", document.querySelector("h1").textContent), list, key);
  };
  addEventListener("beforeprint", fillSheet);

  next.onclick = proceed;
  addEventListener("keydown", event => {
    const isOwn = event.target.matches("button, a, summary, input") && !event.target.disabled;
    if (event.key === "Enter" && !isOwn && !event.ctrlKey && !event.altKey && !event.metaKey) proceed();
  });
  if (questions.length > 0) begin(questions);
  else {
    $("course").hidden = $("progress").hidden = true;
    $("course").before(element("p", page.none));
  }
  return answer;
};
