/** Something that goes on until it is stopped. */
export interface Part {
  /** Rejects when it fails, and settles at no other time. */
  failed: Promise<never>
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>
}

export function startPart(run: (isOver: () => boolean) => Promise<unknown>): Part {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  // Who waits for it may come later.
  failed.catch(() => undefined)
  let isOver = false
  const running = run(() => isOver)
  running.catch(reject)
  return {
    failed,
    async stop() {
      isOver = true
      await running
    },
  }
}
