// The hardware of a gateway in LORIOT's spelling: GET /1/nwk/gateway/models.
import type { JsonObject } from '../message-fields.ts'
import { NetworkError } from '../network-error.ts'
import { listPages, type Session } from './client.ts'

/** As POST /1/nwk/network/{id}/gateways takes it. */
export interface Hardware {
  /** The maker. */
  base: string
  model: string
  concentrator: string
  bus: string
  /** A number or its text; empty if there is none. */
  card: string | number
}

/**
 * LORIOT's own tool registers this when it knows only the EUI (loriot-migration-tool,
 * src/chirpstack/gateways.ts).
 */
const basicsStation: Hardware = {
  base: 'basics-station',
  model: 'semtech',
  concentrator: 'SX130x',
  bus: 'SPI',
  card: '',
}

/**
 * The hardware of the registration, completed if LORIOT leaves no choice. Otherwise throws a
 * refusal that lists the choices.
 */
export async function chooseHardware(
  session: Session,
  settings: Record<string, string>,
): Promise<Hardware> {
  const { brand, model, concentrator, bus, card } = settings
  if (!brand && !model && !concentrator && !bus) return basicsStation
  if (!brand) throw refused('needs the brand of such a gateway')
  const known = await readModels(session)
  const ofBrand = known.filter(
    ({ base, basename }) => isAlike(base, brand) || isAlike(basename, brand),
  )
  if (ofBrand.length === 0) throw refused(`knows no gateways of the brand ${brand}`)
  const chosenModel = choose('model', model, valuesOf(ofBrand, 'model'))
  const fitting = ofBrand.filter((entry) => {
    const models = valuesOf([entry], 'model')
    return models.length === 0 || models.includes(chosenModel)
  })
  const cards = valuesOf(fitting, 'card')
  return {
    base: String(fitting[0]?.base ?? brand),
    model: String(chosenModel),
    concentrator: String(choose('concentrator', concentrator, valuesOf(fitting, 'concentrator'))),
    bus: String(choose('bus', bus, valuesOf(fitting, 'bus'))),
    card: card ? choose('card', card, cards) : (cards[0] ?? ''),
  }
}

async function readModels(session: Session): Promise<JsonObject[]> {
  const models: JsonObject[] = []
  for await (const page of listPages(session, '/1/nwk/gateway/models', 'models', 'apps')) {
    models.push(...page)
  }
  return models
}

/** One of the known values, or the sent value if LORIOT lists none. */
function choose(
  field: string,
  sent: string | undefined,
  known: readonly (string | number)[],
): string | number {
  const [only, ...others] = known
  if (!sent) {
    if (only !== undefined && others.length === 0) return only
    throw refused(`needs the ${field} of the gateway${choicesOf(known)}`)
  }
  const match = known.find((value) => isAlike(value, sent))
  if (match !== undefined) return match
  if (known.length === 0) return sent
  throw refused(`knows no ${field} ${sent} of such a gateway${choicesOf(known)}`)
}

function choicesOf(known: readonly (string | number)[]): string {
  return known.length === 0 ? '' : `, only ${known.slice(0, 20).join(', ')}`
}

/** The values of a member that is a value or a list. */
function valuesOf(entries: readonly JsonObject[], name: string): (string | number)[] {
  const values = entries.flatMap((entry) => entry[name] ?? [])
  const isValue = (value: unknown) => typeof value === 'string' || typeof value === 'number'
  return [...new Set(values.filter(isValue) as (string | number)[])]
}

function isAlike(known: unknown, sent: string): boolean {
  return String(known).toLowerCase() === sent.toLowerCase()
}

function refused(words: string): NetworkError {
  return new NetworkError('refused', `LORIOT ${words}.`)
}
