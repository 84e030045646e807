import type { Disposable } from '../base/disposable';
import type { HostEvent } from '../protocol/hostEvent';

/** Minimum interval between messages to the panel. Anything longer was noticeable in measurements. */
const FRAME_MS = 16;

/** Batches events within a frame and merges adjacent text of the same entry. The first event after a pause is delivered at once. */
export class DeltaBuffer implements Disposable {
  private waiting: HostEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly deliver: (events: HostEvent[]) => void) {}

  push(events: readonly HostEvent[]): void {
    for (const event of events) this.add(event);
    if (this.timer !== undefined || this.waiting.length === 0) return;
    this.flush();
    this.beginFrame();
  }

  /** Delivers all buffered events now. */
  flush(): void {
    const events = this.waiting;
    this.waiting = [];
    if (events.length > 0) this.deliver(events);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
  }

  /** A delivery at the end of a frame starts the next frame. Otherwise a stream would send two messages per frame. */
  private beginFrame(): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.waiting.length === 0) return;
      this.beginFrame();
      this.flush();
    }, FRAME_MS);
  }

  private add(event: HostEvent): void {
    const last = this.waiting.at(-1);
    const joins =
      (event.type === 'text-appended' || event.type === 'tool-output-appended') &&
      last?.type === event.type &&
      last.entryId === event.entryId;
    if (joins) this.waiting[this.waiting.length - 1] = { ...event, text: last.text + event.text };
    else this.waiting.push(event);
  }
}
