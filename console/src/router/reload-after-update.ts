const key = 'reloaded-at'

/** Milliseconds within which a second failure is no update, but a fault. */
const soon = 10_000

/**
 * Loads the page again when a part of the console is missing: the service was updated, and has only
 * the files of its new version. A page whose connection is lost stays: it could not be loaded.
 */
export function reloadAfterUpdate(): void {
  window.addEventListener('vite:preloadError', () => {
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (Date.now() - last < soon) return
    void isReachable().then((answers) => {
      if (!answers) return
      sessionStorage.setItem(key, String(Date.now()))
      location.reload()
    })
  })
}

function isReachable(): Promise<boolean> {
  return fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
