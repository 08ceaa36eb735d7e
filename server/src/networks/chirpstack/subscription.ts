import type { AccountValues, MessageSink, Subscription } from '../network.ts'
export function openSubscription(
  _v: AccountValues,
  _a: string,
  _s: MessageSink,
): Subscription | undefined {
  return undefined
}
