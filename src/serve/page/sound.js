// Short sounds made on the spot: wood for a move, a chord for the end.

import { aid } from './aids.js';

let context = null;

function tone(frequency, start, length, loudness) {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = 'triangle';
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(loudness, context.currentTime + start);
  gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(context.currentTime + start);
  oscillator.stop(context.currentTime + start + length);
}

/** Plays the sound of a `move` or of the `end`, if the user wants sounds. */
export function sound(name) {
  if (!aid('sounds')) return;
  context ??= new AudioContext();
  if (name === 'move') {
    tone(190, 0, 0.09, 0.5);
    tone(520, 0, 0.03, 0.15);
  } else {
    [262, 330, 392].forEach((frequency, i) => tone(frequency, i * 0.09, 0.6, 0.2));
  }
}
