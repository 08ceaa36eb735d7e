// The calls about gateways, fleets and brands, GMS REST API 3.2.6.
import { objectOf, textOf } from '../../src/networks/answer-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarGateway } from '../far-dialect.ts'
import {
  base,
  bodyOf,
  checkLengths,
  checkRequired,
  type Dto,
  notFound,
  refuse,
  toPage,
  type Wanesy,
} from './store.ts'

const required = ['visibility', 'adaptiveLatencyEnabled', 'dlAllowed', 'region']

export function gatewayRoutes(wanesy: Wanesy): FarRoute[] {
  const { gateways } = wanesy.side
  const withGateway =
    (handle: (call: FarCall, gateway: FarGateway<Dto>) => FarAnswer) => (call: FarCall) => {
      const gateway = gateways.get(call.params.eui ?? '')
      return gateway ? handle(call, gateway) : notFound('gateway')
    }
  const shown = (gateway: FarGateway<Dto>) => show(wanesy, gateway)
  const path = `${base}/gateways/:eui`
  return [
    ['GET', `${base}/gateways`, (call) => toPage([...gateways.values()].map(shown), call)],
    ['GET', `${base}/fleets`, (call) => toPage(wanesy.fleets, call)],
    ['GET', `${base}/brands`, (call) => toPage(wanesy.brands, call)],
    ['GET', path, withGateway((_call, gateway) => ({ status: 200, body: shown(gateway) }))],
    ['PUT', path, (call) => createGateway(wanesy, call)],
    [
      'PATCH',
      path,
      withGateway((call, gateway) => {
        const body = bodyOf(call)
        const fault = checkLengths(body)
        if (fault) return fault
        Object.assign(gateway.record, body)
        if (body.name !== undefined) gateway.name = textOf(body.name)
        return { status: 204 }
      }),
    ],
    [
      'DELETE',
      path,
      withGateway((_call, { eui }) => {
        gateways.delete(eui)
        return { status: 204 }
      }),
    ],
  ]
}

function createGateway({ side, fleets, brands }: Wanesy, call: FarCall): FarAnswer {
  const body = bodyOf(call)
  const eui = call.params.eui ?? ''
  const fault = checkRequired(body, required) ?? checkLengths(body)
  if (fault) return fault
  if (!/^[0-9A-F]{16}$/.test(eui)) return refuse(400, 'INVALID_FIELD', 'invalid eui')
  if (side.gateways.has(eui)) return refuse(400, 'ALREADY_EXISTS', 'the gateway exists')
  if (!['PUBLIC', 'PRIVATE'].includes(textOf(body.visibility))) {
    return refuse(400, 'INVALID_FIELD', `unknown visibility ${body.visibility}`)
  }
  const kinds = [
    ['fleet', fleets],
    ['brand', brands],
  ] as const
  for (const [name, known] of kinds) {
    const { id } = objectOf(body[name])
    const isKnown = body[name] === undefined || known.some((one) => one.id === id)
    if (!isKnown) return refuse(400, 'INVALID_FIELD', `unknown ${name} ${id}`)
  }
  side.gateways.set(eui, { eui, name: textOf(body.name) || eui, record: { ...body, eui } })
  return { status: 204 }
}

function show({ fleets, brands }: Wanesy, { record, name }: FarGateway<Dto>): Dto {
  const fleet = fleets.find(({ id }) => id === objectOf(record.fleet).id)
  const brand = brands.find(({ id }) => id === objectOf(record.brand).id)
  return { ...record, name, ...(fleet ? { fleet } : {}), ...(brand ? { brand } : {}), links: [] }
}
