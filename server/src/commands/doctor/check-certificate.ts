import { isIP } from 'node:net'
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls'
import type { Outside } from '../../networks/outside.ts'
import { wordsOf } from './call.ts'
import { type Finding, ok, problem, reasonOf, skipped, warning } from './finding.ts'

const check = 'address.certificate'
const deadline = 8000
const day = 24 * 3600_000
/** Automatic renewal, as of Let's Encrypt, comes 30 days before the end. */
const soon = 14
const late = 3

/** The certificate at PUBLIC_URL, as a network checks it: name, chain, expiry. */
export async function checkCertificate(publicUrl: string, outside: Outside): Promise<Finding> {
  const { protocol, hostname, port, host } = new URL(publicUrl)
  if (protocol !== 'https:') {
    return skipped(check, 'PUBLIC_URL is without TLS.')
  }
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  let socket: TLSSocket
  try {
    socket = await shakeHands({ name, port: Number(port || 443) }, outside)
  } catch (error) {
    return problem(
      check,
      `No TLS connection to ${host}: ${wordsOf(Object(error).code) ?? reasonOf(error)}.`,
      'See that the reverse proxy runs, listens there for TLS, and can be reached from this machine.',
    )
  }
  try {
    return judge(socket, name)
  } finally {
    socket.destroy()
  }
}

/** A certificate that is not valid is looked at too, so that one sees why. */
function shakeHands(
  { name, port }: { name: string; port: number },
  { lookup }: Outside,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host: name, port, lookup, rejectUnauthorized: false },
      ...(isIP(name) ? {} : { servername: name }),
    })
    socket.setTimeout(deadline, () => socket.destroy(new Error('no answer in time')))
    socket.once('error', reject)
    socket.once('secureConnect', () => resolve(socket))
  })
}

function judge(socket: TLSSocket, name: string): Finding {
  const certificate = socket.getPeerCertificate(true)
  const end = new Date(certificate.valid_to)
  const days = Math.floor((end.getTime() - Date.now()) / day)
  const until = end.toISOString().slice(0, 10)
  const renew = 'Renew it, and see that what renews it (certbot, Caddy, cert-manager) still runs.'
  if (days < 0) return problem(check, `The certificate of ${name} has expired on ${until}.`, renew)
  if (!socket.authorized) {
    const code = String(socket.authorizationError ?? '')
    return problem(
      check,
      `Networks refuse the certificate of ${name}: ${wordsOf(code) ?? code}.`,
      adviceFor(code, certificate),
    )
  }
  const says = `The certificate of ${name} is valid until ${until} (${days} days), by ${issuerOf(certificate)}.`
  if (days < late) return problem(check, says, renew)
  if (days < soon) return warning(check, says, renew)
  return ok(check, says)
}

function adviceFor(code: string, certificate: DetailedPeerCertificate): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `Let PUBLIC_URL be one of its names (${(certificate.subjectaltname ?? 'none').slice(0, 200)}), or get a certificate for PUBLIC_URL.`
  }
  if (code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE') {
    return 'Let the proxy send the whole chain (fullchain.pem, not cert.pem).'
  }
  return 'Get a certificate of a public authority, as Let’s Encrypt; for your own authority set NODE_EXTRA_CA_CERTS here, and trust it at the network.'
}

function issuerOf({ issuer }: DetailedPeerCertificate): string {
  return [issuer.O ?? issuer.CN].flat().join(', ')
}
