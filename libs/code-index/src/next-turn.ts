/** Lets the event loop run between files: parsing blocks the thread, and a worker's heartbeat must come through. */
export function nextTurn(): Promise<void> {
  return new Promise((resume) => void setImmediate(resume));
}
