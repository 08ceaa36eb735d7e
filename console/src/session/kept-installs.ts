/** The database of the browser with the devices that are being installed, some with keys. */
export const installsName = 'installs'

export function forgetInstalls(): void {
  indexedDB.deleteDatabase(installsName)
}
