// Icons, drawn as strokes in a box of 24 units.

export const ICONS = {
  first: "M18 6l-6 6 6 6M12 6l-6 6 6 6",
  previous: "M15 6l-6 6 6 6",
  next: "M9 6l6 6-6 6",
  last: "M6 6l6 6-6 6M12 6l6 6-6 6",
  flip: "M7 4v14M7 18l-3-3M7 18l3-3M17 20V6M17 6l-3 3M17 6l3 3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.7.6 1 1.3 1 2.1h5c0-.8.3-1.5 1-2.1A6 6 0 0 0 12 3z",
  back: "M9 14l-5-5 5-5M4 9h9a7 7 0 0 1 0 14h-2",
  down: "M6 9l6 6 6-6",
  hand: "M5 3l13 8-6 1.5L9 19z",
  up: "M12 19V5M6 11l6-6 6 6",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  start: "M4 4h16v16H4zM8.5 8.5v.01M15.5 8.5v.01M12 12v.01M8.5 15.5v.01M15.5 15.5v.01",
  play: "M12 3a4 4 0 0 1 2.4 7.2c1.2 1.3 1.6 3 1.6 5.8l2 4H6l2-4c0-2.8.4-4.5 1.6-5.8A4 4 0 0 1 12 3z",
  analyse: "M4 20V10M10 20V4M16 20v-8M21 20H3",
  learn: "M6 20v-3l1-1V9H6V5h2v2h2.5V5h3v2H16V5h2v4h-1v7l1 1v3z",
  game: "M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7",
  minus: "M6 12h12",
  plus: "M6 12h12M12 6v12",
};
