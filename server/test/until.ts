import assert from 'node:assert/strict'

/** Milliseconds: a machine that is busy with other tests takes its time. */
const patience = 60_000

/** Waits until something holds, and returns how many milliseconds it took. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = 'it',
  most = patience,
): Promise<number> {
  const start = performance.now()
  while (!(await holds())) {
    assert.ok(performance.now() - start < most, `${what}: not so after ${most} ms`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return performance.now() - start
}
