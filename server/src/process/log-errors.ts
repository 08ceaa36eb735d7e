import pino from 'pino'

/** An error as a field of a log line. A database that is away is no fault of the code: no stack. */
export function describeError(error: Error): object {
  const described = pino.stdSerializers.err(error)
  if (error.name !== 'DatabaseUnavailable') return described
  const { type, message } = described
  return { type, message }
}
