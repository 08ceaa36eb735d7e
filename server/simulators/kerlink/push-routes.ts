// The calls about clusters and push configurations, GMS REST API 3.2.6.
import { objectOf, objectsOf, textOf } from '../../src/networks/answer-fields.ts'
import { isObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import {
  base,
  bodyOf,
  type Cluster,
  checkLengths,
  checkRequired,
  type Dto,
  notFound,
  type PushConfiguration,
  refuse,
  toPage,
  type Wanesy,
} from './store.ts'

export function pushRoutes(wanesy: Wanesy): FarRoute[] {
  const { pushConfigurations } = wanesy
  const withConfiguration =
    (handle: (call: FarCall, found: PushConfiguration) => FarAnswer) => (call: FarCall) => {
      const found = pushConfigurations.get(Number(call.params.id))
      return found ? handle(call, found) : notFound('pushConfiguration')
    }
  const withCluster = (handle: (call: FarCall, found: Cluster) => FarAnswer) => (call: FarCall) => {
    const found = wanesy.clusters.find(({ id }) => id === Number(call.params.id))
    return found ? handle(call, found) : notFound('cluster')
  }
  const path = `${base}/pushConfigurations`
  return [
    ['GET', path, (call) => toPage([...pushConfigurations.values()].map(show), call)],
    ['POST', path, (call) => create(wanesy, call)],
    ['POST', `${path}/:id`, withConfiguration((call, found) => update(wanesy, call, found))],
    ['DELETE', `${path}/:id`, withConfiguration((_call, found) => removeOne(wanesy, found))],
    [
      'GET',
      `${base}/clusters`,
      (call) =>
        toPage(
          wanesy.clusters.map((one) => showCluster(wanesy, one)),
          call,
        ),
    ],
    [
      'GET',
      `${base}/clusters/:id`,
      withCluster((_call, cluster) => ({ status: 200, body: showCluster(wanesy, cluster) })),
    ],
    [
      'PATCH',
      `${base}/clusters/:id`,
      withCluster((call, cluster) => patchCluster(wanesy, call, cluster)),
    ],
  ]
}

/** Adds a push configuration, as its owner does by hand. */
export function addConfiguration(wanesy: Wanesy, dto: Dto): number {
  const id = wanesy.nextId()
  wanesy.pushConfigurations.set(id, { id, dto })
  return id
}

function create(wanesy: Wanesy, call: FarCall): FarAnswer {
  const dto = readDto(call)
  const fault = checkDto(dto)
  if (fault || !dto) return fault ?? notFound('dto')
  const isTaken = [...wanesy.pushConfigurations.values()].some(
    (other) => other.dto.name === dto.name,
  )
  if (isTaken) return refuse(400, 'ALREADY_EXISTS', 'the name of a pushConfiguration is unique')
  const id = addConfiguration(wanesy, dto)
  return { status: 201, headers: { location: `${base}/pushConfigurations/${id}` } }
}

function update(wanesy: Wanesy, call: FarCall, found: PushConfiguration): FarAnswer {
  const dto = readDto(call)
  const fault = checkDto(dto)
  if (fault || !dto) return fault ?? notFound('dto')
  found.dto = dto
  route(wanesy)
  return { status: 204 }
}

function removeOne({ clusters, pushConfigurations }: Wanesy, { id }: PushConfiguration): FarAnswer {
  const isUsed = clusters.some((one) => one.pushEnabled && one.pushConfigurationId === id)
  if (isUsed) return refuse(400, 'IN_USE', 'the pushConfiguration is used by a cluster')
  pushConfigurations.delete(id)
  return { status: 204 }
}

function checkDto(dto: Dto | undefined): FarAnswer | undefined {
  if (!dto) return refuse(400, 'MISSING_PART', 'the part dto is mandatory')
  const fault = checkRequired(dto, ['name', 'msgDetailLevel', 'type']) ?? checkLengths(dto)
  if (fault) return fault
  const isUrl = URL.canParse(textOf(dto.url))
  return isUrl ? undefined : refuse(400, 'INVALID_FIELD', 'invalid url')
}

/** Reads the part `dto` of a multipart body. The content type of the part does not matter. */
function readDto({ headers, text }: FarCall): Dto | undefined {
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1]
  if (!boundary) return undefined
  const part = text.split(`--${boundary}`).find((one) => /name="?dto"?/.test(one))
  const content = part?.split('\r\n\r\n')[1]
  try {
    const dto: unknown = JSON.parse(content ?? '')
    return isObject(dto) ? dto : undefined
  } catch {
    return undefined
  }
}

function patchCluster(wanesy: Wanesy, call: FarCall, cluster: Cluster): FarAnswer {
  const { pushConfiguration, pushEnabled, hexa } = bodyOf(call)
  const id = isObject(pushConfiguration)
    ? Number(objectOf(pushConfiguration).id)
    : cluster.pushConfigurationId
  const isEnabled = pushEnabled === undefined ? cluster.pushEnabled : pushEnabled === true
  if (isEnabled && !wanesy.pushConfigurations.has(id ?? 0)) {
    return refuse(400, 'MISSING_FIELD', 'the field pushConfiguration is mandatory')
  }
  cluster.pushConfigurationId = id
  cluster.pushEnabled = isEnabled
  if (hexa !== undefined) cluster.hexa = hexa === true
  route(wanesy)
  return { status: 204 }
}

/** Updates the callbacks. The devices of the simulator belong to the first cluster. */
export function route({ side, clusters, pushConfigurations }: Wanesy): void {
  const [cluster] = clusters
  const used = cluster?.pushEnabled
    ? pushConfigurations.get(cluster.pushConfigurationId ?? 0)
    : undefined
  const headers = objectsOf(used?.dto.headers).map(({ key, value }) => [textOf(key), textOf(value)])
  const callback = used && {
    url: textOf(used.dto.url).replace(/\/$/, ''),
    headers: Object.fromEntries(headers),
  }
  side.callbacks = callback ? [callback] : []
}

function show({ id, dto }: PushConfiguration): Dto {
  return { ...dto, id, links: [] }
}

export function showCluster(
  { pushConfigurations }: Wanesy,
  { id, name, hexa, pushEnabled, pushConfigurationId }: Cluster,
): Dto {
  const used = pushConfigurations.get(pushConfigurationId ?? 0)
  return {
    id,
    name,
    hexa,
    pushEnabled,
    geolocEnabled: false,
    ...(used ? { pushConfiguration: show(used) } : {}),
    links: [],
  }
}
