/**
 * The service can't start or go on until a person changes a setting or the machine. The message
 * says which and how; it is shown as it stands, without a stack trace.
 */
export class SetupError extends Error {
  override name = 'SetupError'
}
