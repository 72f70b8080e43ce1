// Short sounds for moves and the end of a game, made by the browser itself.

type Sound = "move" | "capture" | "end";

/** Frequencies in Hz of the tones that follow each other. */
const TONES: Record<Sound, number[]> = { move: [330], capture: [330, 220], end: [330, 440, 660] };
const GAP = 0.09, LENGTH = 0.12, VOLUME = 0.15;
let context: AudioContext | undefined;
let isOn = false;

export const setSound = (on: boolean): void => { isOn = on; };

/** Plays a sound. A browser allows that only after the user has touched the page. */
export function sound(kind: Sound): void {
  if (!isOn || !navigator.userActivation.hasBeenActive) return;
  const audio = context ??= new AudioContext();
  TONES[kind].forEach((frequency, at) => {
    const start = audio.currentTime + at * GAP, gain = audio.createGain(), tone = audio.createOscillator();
    gain.gain.setValueAtTime(VOLUME, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
    tone.type = "triangle";
    tone.frequency.value = frequency;
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + LENGTH);
  });
}
