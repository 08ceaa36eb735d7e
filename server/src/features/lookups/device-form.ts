import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { withExamples } from '../../http/examples.ts'
import { anyJoinEui, regionValues, type Validation } from '../../networks/forms.ts'
import type { Network } from '../../networks/network.ts'
import { deviceTypes, fullName } from '../../sensors/index.ts'
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
export const deviceForm = z
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
export async function readDeviceForm(
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
