import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredText } from '../../../http/fields.ts'
import {
  anyJoinEui,
  gatewayFields,
  regionValues,
  type Validation,
} from '../../../networks/forms.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { Network } from '../../../networks/network.ts'
import { deviceTypes, fullName } from '../../../sensors/index.ts'
import { escapeHtml } from '../../../sensors/render.ts'
import * as accountQueries from '../../accounts/connections/account-queries.ts'
import { endpoint } from '../../core-services.ts'
import type { BillingServices } from '../../people/billing/plans.ts'
import { formPayment, readFormPayment } from '../../people/billing/registration-payment.ts'
import { listAll } from '../device-types/device-type-queries.ts'
import { toTypeSummary } from '../device-types/device-type-record.ts'
import {
  type FormField,
  formField,
  frequencyPlanRecord,
  groupChoice,
  readGateways,
  readGroups,
  regionChoice,
  regionChoices,
} from './form-fields.ts'

/** The form that registers devices on a network. */
const deviceForm = z
  .object({
    data: z.object({
      regions: z.array(regionChoice),
      gateways: z.array(
        z.object(
          withExamples(
            { id: z.int(), name: z.string(), gateway_eui: z.string().nullable() },
            { id: 7, name: 'Roof', gateway_eui: '00AA0000000000F1' },
          ),
        ),
      ),
      frequencyPlans: z.array(frequencyPlanRecord),
      ...withExamples({ joinEui: z.array(z.string()) }, { joinEui: ['0000000000000000'] }),
      groups: z.array(groupChoice),
    }),
    fields: z.object(
      withExamples(
        {
          consoleOnly: formField,
          network: formField,
          registerMethod: formField,
          deviceId: formField,
          deviceName: formField,
          deviceKey: formField,
          deviceTypeId: formField,
          joinEui: formField,
          gatewayId: formField,
          appRegion: formField,
          frequencyPlan: formField,
          mfatoken: formField,
          groups: formField,
        },
        {
          consoleOnly: { validation: 'optional', type: 'select', values: { 0: 'No', 1: 'Yes' } },
          network: { validation: 'required', type: 'select', values: { 10: 'ChirpStack v4' } },
          registerMethod: {
            validation: 'required',
            type: 'select',
            values: { vendor: "Operator's account", user_account: 'Own account' },
          },
          deviceTypeId: {
            validation: 'required',
            type: 'select',
            values: { 16: 'RBS301-DWS - LoRa Door/Window' },
          },
          joinEui: { validation: 'optional', type: 'text', values: ['0000000000000000'] },
          gatewayId: { validation: 'optional', type: 'select', values: { 7: 'Roof' } },
          appRegion: { validation: 'optional', type: 'select', values: { EU868: 'EU868' } },
          frequencyPlan: 'na',
          mfatoken: 'na',
          groups: { validation: 'optional', type: 'multiselect', values: { 12: 'Ground floor' } },
        },
      ),
    ),
  })
  .meta({ id: 'DeviceForm' })

type DeviceFormRecord = z.infer<typeof deviceForm>

/** `network` takes devices. */
async function readDeviceForm(
  db: Queryable,
  organizationId: number,
  network: Network,
): Promise<DeviceFormRecord> {
  const { fields = {}, frequencyPlans = [] } = network.forms.device ?? {}
  const gateways = await readGateways(db, organizationId, network)
  const groups = await readGroups(db, organizationId)
  const data = {
    regions: fields.appRegion ? regionChoices : [],
    gateways: gateways.map(({ id, name, gateway_eui }) => ({ id, name, gateway_eui })),
    frequencyPlans: [...frequencyPlans],
    joinEui: [anyJoinEui],
    groups,
  }
  return {
    data,
    fields: {
      ...commonFields(network),
      deviceTypeId: await readTypeChoices(db, organizationId),
      joinEui: fields.joinEui
        ? { validation: fields.joinEui, type: 'text', values: data.joinEui }
        : 'na',
      gatewayId: select(fields.gatewayId, gateways, ({ name }) => name),
      appRegion: fields.appRegion
        ? { validation: fields.appRegion, type: 'select', values: regionValues }
        : 'na',
      frequencyPlan: select(fields.frequencyPlan, frequencyPlans, ({ name }) => name),
      mfatoken: 'na',
      groups: {
        validation: 'optional',
        type: 'multiselect',
        values: labelled(groups, ({ groupName }) => groupName),
      },
    },
  }
}

/** The fields that all networks' forms share. */
function commonFields({ id, name }: Network) {
  const requiredText: FormField = { validation: 'required', type: 'text' }
  return {
    consoleOnly: { validation: 'optional', type: 'select', values: { 0: 'No', 1: 'Yes' } },
    network: { validation: 'required', type: 'select', values: { [String(id)]: name } },
    registerMethod: {
      validation: 'required',
      type: 'select',
      values: { vendor: "Operator's account", user_account: 'Own account' },
    },
    deviceId: requiredText,
    deviceName: requiredText,
    deviceKey: requiredText,
  } satisfies Partial<Record<keyof DeviceFormRecord['fields'], FormField>>
}

async function readTypeChoices(db: Queryable, organizationId: number): Promise<FormField> {
  const own = (await listAll(db, organizationId)).map(toTypeSummary)
  const values = Object.fromEntries([
    ...deviceTypes.map((type) => [String(type.typeId), fullName(type)] as const),
    ...own.map(({ id, full_name }) => [String(id), full_name] as const),
  ])
  return { validation: 'required', type: 'select', values }
}

function select<T extends { id: string | number }>(
  validation: Validation | undefined,
  choices: readonly T[],
  labelOf: (choice: T) => string,
): FormField {
  if (validation === undefined) return 'na'
  return { validation, type: 'select', values: labelled(choices, labelOf) }
}

function labelled<T extends { id: string | number }>(
  choices: readonly T[],
  labelOf: (choice: T) => string,
): Record<string, string> {
  return Object.fromEntries(choices.map((choice) => [String(choice.id), labelOf(choice)]))
}

const unknownNetwork = 'The selected network is invalid.'

/** The example is a network that asks only for name and EUI. */
function exampleOfField(name: (typeof gatewayFields)[number]): [string, FormField] {
  const isAsked = name === 'gatewayName' || name === 'gatewayEui'
  return [name, isAsked ? { validation: 'required', type: 'text' } : 'na']
}

/** The form that registers gateways on a network. */
const gatewayForm = z
  .object({
    fields: z
      .record(z.enum(gatewayFields), formField)
      .meta({ examples: [Object.fromEntries(gatewayFields.map(exampleOfField))] }),
    data: z.object(
      withExamples(
        { description: z.string(), models: z.array(z.string()) },
        { description: '<p>Have the gateway EUI at hand.</p>', models: [] },
      ),
    ),
  })
  .meta({ id: 'GatewayForm' })

/** The registration form of a network, for devices or for gateways. */
export const showConfiguration = endpoint({
  summary: 'The registration form of a network; `type` selects devices or gateways',
  query: z.object(
    withExamples(
      {
        network: requiredText('network').refine((key) => findNetwork(key), unknownNetwork),
        type: requiredText('type').pipe(
          z.enum(['device', 'gateway'], { error: 'The type must be one of: device, gateway.' }),
        ),
      },
      { network: 'chirpstack', type: 'device' },
    ),
  ),
  answer: z.union([
    z
      .object({
        payment: formPayment,
        ...withExamples(
          { user_account_configured: z.boolean() },
          { user_account_configured: true },
        ),
        form: deviceForm,
      })
      .meta({ title: 'device' }),
    z.object({ form: gatewayForm }).meta({ title: 'gateway' }),
  ]),
  async handle({ query, caller }, services: BillingServices) {
    const network = findNetwork(query.network)
    const hasForm = query.type === 'device' ? network?.forms.device : network
    if (!network || !hasForm) throw invalid({ network: [unknownNetwork] })
    if (query.type === 'gateway') return { form: toGatewayForm(network) }
    return showDeviceForm(services, caller.organizationId, network)
  },
})

async function showDeviceForm(services: BillingServices, organizationId: number, network: Network) {
  const { db, now } = services
  return {
    payment: await readFormPayment(services, organizationId, network.key, now()),
    user_account_configured: await hasOwnAccount(services, organizationId, network),
    form: await readDeviceForm(db, organizationId, network),
  }
}

async function hasOwnAccount(
  { db }: BillingServices,
  organizationId: number,
  { key, loraVariant }: Network,
): Promise<boolean> {
  const accounts = await accountQueries.list(db, organizationId)
  return accounts.some(
    ({ network, register_method }) =>
      (network === key || network === loraVariant) && register_method !== 'vendor',
  )
}

/** Every field is `na` when the network takes no gateways. */
function toGatewayForm({ name, forms }: Network): z.infer<typeof gatewayForm> {
  const form = forms.gateway
  const fields = gatewayFields.map((field) => {
    const asked = form?.fields[field]
    if (!asked) return [field, 'na'] as const
    const { validation, values } = asked
    const shown: FormField = values
      ? { validation, type: 'select', values: { ...values } }
      : { validation, type: 'text' }
    return [field, shown] as const
  })
  const description = form?.description ?? `Gateways of ${name} are not registered from here.`
  return {
    fields: Object.fromEntries(fields) as z.infer<typeof gatewayForm>['fields'],
    data: { description: `<p>${escapeHtml(description)}</p>`, models: [...(form?.models ?? [])] },
  }
}
