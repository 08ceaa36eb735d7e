import { type AuditLine, canonicalForm } from './chain-record.ts'

/** Facility 13, log audit; a refusal is a warning (4), a change a notice (5). RFC 5424, 6.2.1. */
const facility = 13 * 8
const severities = { refused: 4, done: 5 }

/**
 * A record as a message of RFC 5424. Its text is the exported line, so what a log server has
 * stored can be verified too.
 */
export function toSyslogMessage(line: AuditLine, hostName: string): Buffer {
  const severity = line.kind === 'request' ? severities.refused : severities.done
  const head = `<${facility + severity}>1 ${line.at} ${hostName} lora-console - audit -`
  return Buffer.from(`${head} ${canonicalForm(line)}`)
}

/** Messages in a stream, each behind its length in octets (RFC 5425, 4.3; RFC 6587, 3.4.1). */
export function frame(messages: readonly Buffer[]): Buffer {
  return Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message]))
}
