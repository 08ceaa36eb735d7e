/**
 * The service can't start or continue until a person changes a setting or the machine. The message
 * says which and how, and is shown alone, without a stack trace.
 */
export class SetupError extends Error {
  override name = 'SetupError'
}

/** Wrong settings; `mistakes` names all of them. */
export class ConfigError extends SetupError {
  override name = 'ConfigError'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`The settings can't be used:\n${mistakes.map((mistake) => `- ${mistake}`).join('\n')}`)
    this.mistakes = mistakes
  }
}
