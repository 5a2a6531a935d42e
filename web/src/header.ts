// What a page says of its run before anything moves, and what it says when it cannot show it.
import { type Head, type Message, PageError } from "./data";
import { byId, element } from "./format";

/** Title, facts and messages of a run; the messages come back. */
export function fillHeader(head: Head, live: boolean): Message[] {
  const file = head.scenario.replace(/\.(xml|wld)$/, "");
  // Most scenarios are a "scenario.xml" in a folder of their own.
  const other = file === "scenario" && head.nodes[0] ? `${head.nodes[0].name.split(".")[0]} · ${head.scenario}` : head.scenario;
  const title = head.world?.name || other;
  byId("title").title = head.scenario;
  byId("title").textContent = title;
  document.title = `${title} · Simbatch ${live ? "live" : "replay"}`;
  const facts: [string, string, string][] = [];
  const outcome = live ? "live" : (head.end?.outcome ?? "cut");
  if (live) facts.push(["live", "good", "this run goes on while you watch"]);
  else facts.push([outcome, outcome === "complete" ? "good" : "bad", head.end?.message || "how the run ended"]);
  facts.push([`dt ${head.dt} s`, "", "a step of the simulation"]);
  facts.push([`seed ${head.seed}`, "", "of all noise"]);
  if (head.every > 1) facts.push([`every ${head.every} steps`, "", "rows of the trace"]);
  facts.push([head.generator, "", `${head.engine}; state hash ${head.end?.hash ?? "-"}`]);
  byId("facts").replaceChildren(...facts.map(([text, kind, hint]) => element("span", { class: kind, title: hint }, text)));
  const messages = (head.messages ?? []).slice();
  if (head.end?.message) messages.unshift({ severity: "error", code: outcome, text: head.end.message, file: "", line: 0 });
  byId("messages-button").addEventListener("click", () => byId<HTMLDialogElement>("messages").showModal());
  showMessages(messages);
  return messages;
}

export function showMessages(messages: Message[]): void {
  if (messages.length === 0) return;
  const button = byId("messages-button");
  button.hidden = false;
  byId("messages-count").textContent = messages.length === 1 ? "1 message" : `${messages.length} messages`;
  if (messages.some((message) => message.severity === "error")) button.querySelector(".dot")?.classList.add("error");
  byId("message-list").replaceChildren(
    ...messages.map((message) =>
      element(
        "div",
        { class: "message" },
        element("b", { class: message.severity }, message.severity),
        ` ${message.text}`,
        element("small", {}, [message.code, message.file && `${message.file}${message.line ? `:${message.line}` : ""}`].filter(Boolean).join(" · ")),
      ),
    ),
  );
}

/** In the middle of the view; none: it is taken away. */
export function notice(...content: (Node | string)[]): void {
  const notice = byId("notice");
  notice.hidden = content.length === 0;
  notice.replaceChildren(...content);
}

let toastTimer = 0;
/** A sentence that goes away by itself. */
export function toast(text: string): void {
  const box = byId("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => (box.hidden = true), 2600);
}

/** The page cannot be shown. */
export function fail(error: unknown): void {
  const text = error instanceof PageError ? error.message : `This page could not be shown: ${String(error)}`;
  notice(text);
  document.body.dataset.failed = text;
}
