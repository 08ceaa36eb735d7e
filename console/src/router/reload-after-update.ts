const key = 'reloaded-at'

/** Milliseconds within which a second failure is no update, but a fault. */
const soon = 10_000
/** Milliseconds between looks while the service does not answer. */
const pause = 2_000

/**
 * Loads the page again when a part of the console is missing: the service was updated, and has only
 * the files of its new version, or it did not answer. Then the page waits until it does.
 */
export function reloadAfterUpdate(): void {
  let isWaiting = false
  window.addEventListener('vite:preloadError', async () => {
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (isWaiting || Date.now() - last < soon) return
    isWaiting = true
    while (!(await isReachable())) await new Promise((resolve) => setTimeout(resolve, pause))
    sessionStorage.setItem(key, String(Date.now()))
    location.reload()
  })
}

/** Asks as a browser that opens the page: for other programs there is nothing at its address. */
function isReachable(): Promise<boolean> {
  const headers = { accept: 'text/html' }
  return fetch(location.href, { method: 'HEAD', cache: 'no-store', headers }).then(
    ({ ok }) => ok,
    () => false,
  )
}
