/** The time by the second, for whoever shows how long something has taken; it runs only while somebody looks. */
import { createSubscriber } from 'svelte/reactivity';

const second = createSubscriber((update) => {
  const timer = setInterval(update, 1000);
  return () => clearInterval(timer);
});

/** Milliseconds since 1970, anew each second. */
export function now(): number {
  second();
  return Date.now();
}
