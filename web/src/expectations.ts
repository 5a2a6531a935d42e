// What the run is expected to do: a list with verdicts and margins, and marks on the timeline where it was broken.
import type { ExpectationHead, Head, Outcome } from "./data";
import { byId, element, numberText, timeText, unitText } from "./format";

const kWords = { holds: "holds", fails: "broken", undecided: "undecided so far" };

/** The moment that says most: when it was broken, else where it came nearest to that; a step, null if there is none. */
export function momentOf(outcome: Outcome): number | null {
  return outcome.verdict === "fails" ? (outcome.decided ?? outcome.step) : outcome.step;
}

/** "+7.58 m", "−0.31 m"; empty where an event decides. */
export function marginText(outcome: Outcome): string {
  if (outcome.margin === null) return "";
  const size = numberText(Number(Math.abs(outcome.margin).toPrecision(4)));
  return `${outcome.margin < 0 ? "−" : "+"}${size} ${unitText(outcome.unit)}`.trim();
}

export class Expectations {
  private readonly all: ExpectationHead[];
  private rows: { dot: HTMLElement; margin: HTMLElement; moments: HTMLElement; open: HTMLElement; times: number[] }[] = [];
  private marks: { element: HTMLElement; step: number }[] = [];

  constructor(
    private readonly head: Head,
    private readonly events: {
      /** Its chart is wanted, or not any more. */
      charted(expectation: number): void;
      isCharted(expectation: number): boolean;
      sought(time: number): void;
    },
  ) {
    this.all = head.expectations ?? [];
    const panel = byId("expectations");
    panel.hidden = this.all.length === 0;
    if (panel.hidden) return;
    document.querySelector<HTMLElement>('.tabs [data-tab="expectations"]')!.hidden = false;
    panel.append(
      element("h2", {}, "Expectations"),
      ...this.all.map((each, i) => {
        const dot = element("span", { class: "dot" });
        const margin = element("span", { class: "margin" });
        const name = element("span", { class: "name" }, each.name);
        const open = element("button", { class: "quiet", title: each.text, "aria-pressed": "false" }, dot, name, margin);
        open.addEventListener("click", () => this.events.charted(i));
        const moments = element("div", { class: "moments" });
        this.rows.push({ dot, margin, moments, open, times: [] });
        return element("div", { class: "expectation", "data-expectation": String(i) }, open, moments);
      }),
    );
    this.refresh(this.all.map((each) => each.outcome));
  }

  /** After outcomes have changed. */
  refresh(outcomes: Outcome[]): void {
    this.all.forEach((each, i) => {
      each.outcome = outcomes[i] ?? each.outcome;
      const { outcome } = each;
      const { dot, margin, moments, open } = this.rows[i];
      dot.className = `dot ${outcome.verdict}`;
      dot.title = kWords[outcome.verdict];
      margin.textContent = marginText(outcome) || (outcome.verdict === "holds" ? "✓" : outcome.verdict === "fails" ? "✗" : "…");
      open.setAttribute("aria-label", `${each.name}: ${kWords[outcome.verdict]} ${margin.textContent}`);
      this.refreshMoments(moments, this.rows[i], outcome);
      moments.parentElement?.classList.toggle("broken", outcome.verdict === "fails");
    });
    if (this.all.length === 0) return;
    const count = (verdict: string) => this.all.filter((each) => each.outcome.verdict === verdict).length;
    const [broken, held] = [count("fails"), count("holds")];
    const chip = byId("verdict");
    chip.hidden = false;
    chip.className = broken > 0 ? "bad" : held === this.all.length ? "good" : "";
    const open = this.all.length - held - broken;
    chip.textContent = broken > 0 ? `✗ ${broken} of ${this.all.length}` : held > 0 ? `✓ ${held} of ${this.all.length}` : `${open} undecided`;
    chip.title = `${held} of ${this.all.length} expectations hold, ${broken} are broken, ${open} are undecided`;
    this.buildMarks();
  }

  /** Buttons that go there. They stay the same elements while their times move on, so that they can be pressed in a live run. */
  private refreshMoments(box: HTMLElement, row: { times: number[] }, outcome: Outcome): void {
    const broken = outcome.verdict === "fails" ? outcome.decided : null;
    const moments: [number, string, string][] = [];
    if (broken !== null) moments.push([broken, "broken at", "after this step nothing could save it"]);
    if (outcome.step !== null && outcome.step !== broken && outcome.left !== null)
      moments.push([outcome.step, outcome.verdict === "fails" ? "worst at" : "nearest at", outcome.condition]);
    row.times = moments.map(([step]) => step * this.head.dt);
    while (box.children.length > moments.length) box.lastElementChild?.remove();
    while (box.children.length < moments.length) {
      const which = box.children.length;
      const button = element("button", { class: "quiet" });
      button.addEventListener("click", () => this.events.sought(row.times[which]));
      box.append(button);
    }
    moments.forEach(([, text, hint], i) => {
      const button = box.children[i] as HTMLElement;
      button.textContent = `${text} ${timeText(row.times[i], 2)} s`;
      button.title = `Go there: ${hint}`;
    });
  }

  private buildMarks(): void {
    const box = byId("marks");
    this.marks = [];
    this.all.forEach(({ name, outcome }) => {
      const step = momentOf(outcome);
      if (step === null || outcome.verdict !== "fails") return;
      this.marks.push({ element: element("i", { title: `${name}: broken` }), step });
    });
    box.replaceChildren(...this.marks.map((mark) => mark.element));
  }

  /** Moves the marks of the timeline. @param shareOf  of the timeline's length, of a step; null: it is not on it */
  placeMarks(shareOf: (step: number) => number | null): void {
    for (const mark of this.marks) {
      const share = shareOf(mark.step);
      mark.element.hidden = share === null;
      if (share !== null) mark.element.style.left = `calc(8px + (100% - 16px) * ${share.toFixed(5)})`;
    }
  }

  /** After charts were added or taken away. */
  refreshCharted(): void {
    this.rows.forEach(({ open }, i) => open.setAttribute("aria-pressed", String(this.events.isCharted(i))));
  }
}
