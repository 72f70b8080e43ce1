// The tab for learning: castling explained, a quiz on it, and puzzles.

import { App, Lesson } from "./app";
import { CastlingPanel } from "./castling";
import { make, radios } from "./dom";
import { Puzzles } from "./puzzles";
import { Quiz } from "./quiz";
import { t } from "./texts";

export class LearnPanel {
  readonly element = make("div", {});
  private choice: HTMLElement;
  private lessons: Record<Lesson, { element: HTMLElement; render: () => void }>;

  constructor(private app: App) {
    this.lessons = { castling: new CastlingPanel(app), quiz: new Quiz(app), puzzles: new Puzzles(app) };
    this.choice = radios("lesson", t("lesson"), [["castling", t("lessonCastling")], ["quiz", t("lessonQuiz")], ["puzzles", t("lessonPuzzles")]],
      app.settings.lesson, lesson => app.learn(lesson as Lesson));
    this.choice.classList.add("bare");
    this.element.append(this.choice, ...Object.values(this.lessons).map(({ element }) => element));
  }

  render(): void {
    const { lesson } = this.app.settings;
    this.choice.querySelector<HTMLInputElement>(`[value=${lesson}]`)!.checked = true;
    for (const [name, { element }] of Object.entries(this.lessons)) element.hidden = name !== lesson;
    if (this.app.tab === "learn") this.lessons[lesson].render();
  }
}
