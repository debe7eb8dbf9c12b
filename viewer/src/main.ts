// Reads what the command has put into the page, and runs it.
import type { PageData } from "./data";
import { readMotion } from "./served";
import { Page, type Programs } from "./page";

declare global {
  var dalembertPrograms: Programs;
  /** For tests of the page. */
  var dalembertView: Page;
}

const data = JSON.parse(document.getElementById("data")?.textContent ?? "") as PageData;
globalThis.dalembertView = new Page(data, globalThis.dalembertPrograms, readMotion(data.motion));
globalThis.dalembertView.run();
