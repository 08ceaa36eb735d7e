import { basename } from 'node:path'
import { z } from 'zod'
import { changeAt } from '../../../http/change-record.ts'
import { type Caller, endpointsFor } from '../../../http/endpoint.ts'
import { conflict, type FieldErrors, invalid, refuse } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { operatorOrganization } from '../../accounts/connections/account-name.ts'
import { type ChosenMap, find, set } from './map-queries.ts'
import type { MapServices, MapSource } from './map-source.ts'
import { isTileAddress, type MapTiles } from './tiles.ts'

const { endpoint } = endpointsFor<MapServices>()

const kinds = ['outline', 'openstreetmap', 'address', 'file'] as const

const notAgreed = 'Agree to the tile usage policy of OpenStreetMap first.'
const badUrl =
  'The url must be an address with {z}, {x} and {y}, or of a PMTiles file, such as https://tiles.example.com/{z}/{x}/{y}.png.'
const isFixed = 'The setting MAP_TILES of the service says where its maps come from.'
const forOperator = 'Only organization 1 chooses the map of the service.'

const kind = z
  .enum(kinds, { error: `The kind must be one of ${kinds.join(', ')}.` })
  .describe(
    '`outline`, which the service brings along; `openstreetmap`, its public server; `address`, other tiles; `file`, which the service serves.',
  )
const url = z.string().max(2000, 'The url may not be longer than 2,000 characters.')
const attribution = z
  .string({ error: 'The attribution must be a text.' })
  .trim()
  .max(200, 'The attribution may not be longer than 200 characters.')
const example = {
  kind: 'address' as const,
  url: 'https://tiles.example.com/{z}/{x}/{y}.png',
  attribution: '© OpenStreetMap contributors',
}

const mapAnswer = z.object({
  data: z
    .object({
      ...withExamples(
        {
          kind,
          url: url.nullable().describe('Of the kind `address`.'),
          file: z.string().nullable().describe('Of the kind `file`.'),
          attribution: attribution.describe('Who made the map; shown on it.'),
          is_fixed: z.boolean().describe('The setting `MAP_TILES` of the service says it.'),
        },
        { ...example, file: null, is_fixed: false },
      ),
      files: z
        .array(z.string())
        .meta({ examples: [['hamburg.pmtiles']] })
        .describe('In the directory `maps` of the data directory, to choose from.'),
    })
    .meta({ id: 'MapSettings' }),
})

export const showMap = endpoint({
  summary: 'Where the maps of the console come from',
  description: `For organization 1, which runs the service: the map is the same for everybody.`,
  answer: mapAnswer,
  async handle({ caller }, { db, map }) {
    refuseOthers(caller)
    return { data: await describeMap(map, await find(db)) }
  },
})

export const changeMap = endpoint({
  summary: 'Choose where the maps of the console come from',
  description: `For organization 1. Pages that are open show it once they are loaded again. Browsers then ask the
host of the tiles, and no other: it learns their address, the address of the console, and which part of the world is
looked at. \`openstreetmap\` needs \`agreed\`, that the operator has read the
[policy](https://operations.osmfoundation.org/policies/tiles/) of that server.`,
  body: z.object(
    withExamples(
      {
        kind,
        url: url.optional(),
        file: z.string().max(255).optional(),
        attribution: attribution.optional(),
        agreed: z.boolean().optional().describe('Of the kind `openstreetmap`: must be true.'),
      },
      example,
    ),
  ),
  answer: mapAnswer,
  failures: [409],
  change: changeAt('organization', 'given another map'),
  async handle({ body, caller, record }, { db, map, now }) {
    refuseOthers(caller)
    if (map.fixed) throw conflict(isFixed)
    const errors = findFaults(body, await map.listFiles())
    if (errors) throw invalid(errors)
    const chosen: ChosenMap = {
      kind: body.kind,
      url: body.kind === 'address' ? (body.url ?? null) : null,
      file: body.kind === 'file' ? (body.file ?? null) : null,
      attribution: ['address', 'file'].includes(body.kind) ? (body.attribution ?? '') : '',
    }
    await db.transaction(async (tx) => {
      await set(tx, chosen, now())
      await record(tx)
    })
    return { data: await describeMap(map, chosen) }
  },
})

interface Wanted {
  kind: ChosenMap['kind']
  url?: string | undefined
  file?: string | undefined
  agreed?: boolean | undefined
}

function findFaults(wanted: Wanted, files: readonly string[]): FieldErrors | undefined {
  const { kind, url = '', file = '', agreed } = wanted
  if (kind === 'openstreetmap' && agreed !== true) return { agreed: [notAgreed] }
  if (kind === 'address' && !isTileAddress(url)) return { url: [badUrl] }
  if (kind === 'file' && !files.includes(file)) return { file: ['The selected file is invalid.'] }
  return undefined
}

/** The policy of every page names the host of the tiles, whoever opens it. */
function refuseOthers(caller: Caller): void {
  if (caller.organizationId !== operatorOrganization) throw refuse(forOperator, caller)
}

async function describeMap(
  map: MapSource,
  chosen: ChosenMap | undefined,
): Promise<z.infer<typeof mapAnswer>['data']> {
  const { kind, url, file, attribution } = fixedMap(map.fixed) ?? chosen ?? nothing
  const is_fixed = map.fixed !== undefined
  return { kind, url, file, attribution, is_fixed, files: await map.listFiles() }
}

function fixedMap(tiles: MapTiles | undefined): ChosenMap | undefined {
  if (!tiles) return undefined
  const { url, attribution, file } = tiles
  if (file === undefined) return { kind: 'address', url, file: null, attribution }
  return { kind: 'file', url: null, file: basename(file), attribution }
}

const nothing: ChosenMap = { kind: 'outline', url: null, file: null, attribution: '' }
