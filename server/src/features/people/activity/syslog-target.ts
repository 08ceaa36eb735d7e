/** The operator's syslog server, which gets the records of all organizations. */
export interface SyslogTarget {
  protocol: 'tls' | 'tcp' | 'udp'
  host: string
  port: number
  /** Certificates (PEM) that TLS trusts in place of those that come with Node. */
  ca?: string | undefined
}

/** Of syslog over TLS (RFC 5425), of plain TCP as usual, and of UDP (RFC 5426). */
const ports = { tls: 6514, tcp: 601, udp: 514 } as const

/** Reads `tls://host:6514`, `tcp://host` or `udp://host`; undefined for other texts. */
export function readSyslogTarget(text: string): SyslogTarget | undefined {
  const found = /^(tls|tcp|udp):\/\/(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/i.exec(text.trim())
  const protocol = found?.[1]?.toLowerCase() as keyof typeof ports | undefined
  const host = found?.[2]?.replace(/^\[(.*)\]$/, '$1')
  if (protocol === undefined || host === undefined) return undefined
  const port = found?.[3] === undefined ? ports[protocol] : Number(found[3])
  return port >= 1 && port <= 65_535 ? { protocol, host, port } : undefined
}
