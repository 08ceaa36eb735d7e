import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { withExamples } from '../../../http/examples.ts'
import { speaksAsModel } from '../../../networks/device-model.ts'
import { readProfilesAt } from '../../accounts/network-accounts/profile-queries.ts'
import type { Registration } from './registration.ts'

/** Of the answer to `validate`: the network gets a device profile for the model of the device. */
export const profileOfModelField = {
  profile_of_model: z
    .object(
      withExamples(
        { vendor: z.string(), model: z.string(), region: z.string() },
        { vendor: 'Acme', model: 'Cold probe', region: 'EU868' },
      ),
    )
    .meta({ id: 'ProfileOfModel' })
    .optional()
    .describe(
      'Present where the device will get a device profile of its model at the network, which is made if it is not there yet.',
    ),
}

/** Empty where the device gets a profile that somebody has chosen, or that of the account. */
export async function findProfileOfModel(
  db: Queryable,
  organizationId: number,
  registration: Registration,
): Promise<{ profile_of_model?: { vendor: string; model: string; region: string } }> {
  const { network, model, networkProfile, radio, appRegion, isConsoleOnly } = registration
  if (!network.makesProfiles || !model || networkProfile || isConsoleOnly) return {}
  if (!speaksAsModel(model, { radio, region: appRegion })) return {}
  const place = { network: network.key, method: registration.registerMethod }
  const profiles = await readProfilesAt(db, organizationId, place)
  if (!profiles || profiles[registration.typeId] !== undefined) return {}
  return { profile_of_model: { vendor: model.vendor, model: model.model, region: model.region } }
}
