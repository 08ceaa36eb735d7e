import assert from 'node:assert/strict'

/** In milliseconds. A machine that runs other tests can be slow. */
const patience = 60_000

/** Waits until a condition is true. Returns how many milliseconds it took. */
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
