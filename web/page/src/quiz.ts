// Questions on castling, shown on the board.

import { Question } from "../../engine/answers";
import { App } from "./app";
import { announce, button, make } from "./dom";
import { t, translated } from "./texts";

const COUNT = 10;

export class Quiz {
  readonly element = make("section", { class: "quiz" });
  private questions: Question[] = [];
  private at = 0;
  private right = 0;
  private answer?: boolean;
  private result = "";

  constructor(private app: App) {}

  render(): void {
    const { activeElement } = document, focused = this.element.contains(activeElement) ? activeElement!.textContent : undefined;
    this.build(this.app.question);
    // The focus stays on the same button or, if that is gone, moves to the main one.
    if (focused === undefined) return;
    const same = [...this.element.querySelectorAll("button")].find(({ textContent }) => textContent === focused);
    (same ?? this.element.querySelector<HTMLElement>(".main")!).focus({ preventScroll: true });
  }

  private build(question?: Question): void {
    if (!question) {
      this.element.replaceChildren(make("p", {}, this.result || t("quizIntro")),
        button(t("quizStart"), () => this.start(), { class: "main" }));
      return;
    }
    const isRight = this.answer === question.can;
    const answered = this.at + (this.answer === undefined ? 0 : 1);
    const isLast = this.at + 1 === this.questions.length;
    this.element.replaceChildren(
      make("h2", {}, t("quizOf", { at: this.at + 1, of: this.questions.length })),
      make("p", { class: "ask" }, translated(question.ask)),
      this.answer === undefined
        ? make("p", { class: "row" }, button(t("yes"), () => this.judge(true), { class: "main" }), button(t("no"), () => this.judge(false), { class: "main" }))
        : make("p", { class: "row" }, button(t(isLast ? "quizEnd" : "nextQuestion"), () => this.next(), { class: "main" })),
      this.answer === undefined ? ""
        : make("p", { class: "why" }, make("b", { class: isRight ? "good" : "bad" }, t(isRight ? "right" : "wrong")), " ", translated(question.why)),
      make("p", { class: "row" }, make("span", { class: "pale" }, answered > 0 && t("quizResult", { right: this.right, of: answered })),
        !isLast && button(t("quizEnd"), () => this.end(), { class: "quiet" })));
  }

  private start(): void {
    const all = this.app.rules.quiz("graded");
    // We remove questions at random; the others stay in order of difficulty.
    while (all.length > COUNT) all.splice(Math.floor(Math.random() * all.length), 1);
    this.questions = all;
    this.at = this.right = 0;
    this.ask();
  }

  private ask(): void {
    this.answer = undefined;
    const question = this.app.question = this.questions[this.at]!;
    this.app.arrows = question.pieces.map(square => ({ from: square, to: square, brush: "best" }));
    this.app.changed();
  }

  private judge(answer: boolean): void {
    this.answer = answer;
    const question = this.questions[this.at]!;
    if (answer === question.can) this.right++;
    announce(`${t(answer === question.can ? "right" : "wrong")} ${translated(question.why)}`);
    this.app.arrows = question.needs.map(square => ({ from: square, to: square, brush: question.can ? "rook" : "obstacle" }));
    this.app.changed();
  }

  private next(): void {
    this.at++;
    if (this.at === this.questions.length) this.end();
    else this.ask();
  }

  private end(): void {
    this.result = t("quizResult", { right: this.right, of: this.answer === undefined ? this.at : Math.min(this.at + 1, this.questions.length) });
    this.app.question = undefined;
    this.app.arrows = [];
    this.app.changed();
  }
}
