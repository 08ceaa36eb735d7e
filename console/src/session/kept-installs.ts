/** The database of the browser with the devices that are being installed, some with keys. */
export const installsName = 'installs'

const closers = new Set<() => void>()

/** `close` ends what still holds or sends such devices. */
export function closeWhenForgotten(close: () => void): void {
  closers.add(close)
}

export function forgetInstalls(): void {
  for (const close of closers) close()
  indexedDB.deleteDatabase(installsName)
}
