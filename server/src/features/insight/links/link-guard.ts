import { hash, timingSafeEqual } from 'node:crypto'
import { clientNetwork } from '../../../http/client-address.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { forbidden, tooManyRequests } from '../../../http/errors.ts'
import { createRateLimiter, type RateLimiter } from '../../../http/rate-limit.ts'
import { createRequestShares, type TakeShare } from '../../../http/request-shares.ts'
import { hashToken } from '../../people/sessions/sessions.ts'
import type { DashboardServices } from '../dashboards/widget-data.ts'
import { findOpen, noteUse, type OpenLink } from './link-queries.ts'
import { linkNotFound } from './link-record.ts'

/** What screens with links may take of a process. */
interface LinkGuard {
  limiter: RateLimiter
  share: TakeShare
}

export interface LinkServices extends DashboardServices {
  linkGuard: LinkGuard
}

/** Requests a minute: from an address, whichever links it tries; with a link, from all addresses. */
const mostOfAddress = 600
const mostOfLink = 3000
/** Milliseconds that a reading waits for those of other screens of the organization. */
const patience = 20_000

export function createLinkGuard(): LinkGuard {
  return {
    limiter: createRateLimiter(mostOfAddress),
    share: createRequestShares({ waiting: 1000, patience }),
  }
}

/** The header in which a screen sends what it got for the password. */
const passHeader = 'x-link-pass'

/**
 * The link that a request is made with.
 *
 * @throws HttpError 404 where it is not valid, 403 without its password, 429 with too many requests.
 */
export async function openLink(
  services: LinkServices,
  token: string,
  request: RequestContext,
): Promise<OpenLink> {
  const link = await findLink(services, token, request)
  const pass = [request.headers[passHeader]].flat()[0] ?? ''
  if (link.password_hash !== null && !isPass(pass, link.password_hash)) {
    throw forbidden('This link has a password.')
  }
  const { db, now } = services
  if (link.is_use_old) await noteUse(db, link.organization_id, link.id, now())
  return link
}

/** The same before its password is known. */
export async function findLink(
  services: LinkServices,
  token: string,
  { clientIp }: Pick<RequestContext, 'clientIp'>,
): Promise<OpenLink> {
  const { db, now } = services
  spend(services, `address ${clientNetwork(clientIp)}`, mostOfAddress)
  const link = await findOpen(db, hashToken(token), now())
  if (!link) throw linkNotFound()
  spend(services, `link ${link.id}`, mostOfLink)
  return link
}

function spend({ linkGuard, now }: LinkServices, key: string, most: number): void {
  const allowance = linkGuard.limiter.allow(key, now().getTime(), most)
  if (!allowance.isAllowed) throw tooManyRequests(allowance.resetSeconds)
}

/**
 * What a screen keeps instead of the password. It is valid as long as the link: the hash of the
 * password is as secret as the password.
 */
export function passOf(passwordHash: string): string {
  return hash('sha256', `pass of a link\n${passwordHash}`, 'base64url')
}

function isPass(pass: string, passwordHash: string): boolean {
  const [given, right] = [pass, passOf(passwordHash)].map((text) => hash('sha256', text, 'buffer'))
  return timingSafeEqual(given as Buffer, right as Buffer)
}

/** Sites that may show the link's page in a frame; none for an address that is no valid link. */
export async function findFrameHosts(
  { db, now }: Pick<LinkServices, 'db' | 'now'>,
  token: string,
): Promise<readonly string[]> {
  const link = await findOpen(db, hashToken(token), now())
  return link?.hosts ?? []
}
