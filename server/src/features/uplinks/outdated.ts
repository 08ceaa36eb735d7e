/**
 * What was known of an arrival is no longer true: its device was changed or deleted, or the secret
 * of its sender was withdrawn. Nothing of it is stored. The caller looks it up again.
 */
export class Outdated extends Error {
  override name = 'Outdated'

  readonly what: 'device' | 'sender'

  constructor(what: 'device' | 'sender') {
    super(`What was known of the ${what} of an uplink has changed.`)
    this.what = what
  }
}
