import {
  type DeviceProfile,
  paginateListDestinations,
  paginateListDeviceProfiles,
  paginateListServiceProfiles,
  type ServiceProfile,
} from '@aws-sdk/client-iot-wireless'
import { choicesBy, toChoice } from '../choices.ts'
import type { Choice } from '../network.ts'
import type { Session } from './client.ts'

const query = { MaxResults: 100 }

export const listChoices = choicesBy<Session>({
  async *destination({ wireless: client }) {
    for await (const page of paginateListDestinations({ client }, query)) {
      yield (page.DestinationList ?? []).map(({ Name = '' }) => toChoice(Name, Name))
    }
  },
  async *device_profile_id({ wireless: client }) {
    const ofLora = { ...query, DeviceProfileType: 'LoRaWAN' } as const
    for await (const page of paginateListDeviceProfiles({ client }, ofLora)) {
      yield (page.DeviceProfileList ?? []).map(toProfile)
    }
  },
  async *service_profile_id({ wireless: client }) {
    for await (const page of paginateListServiceProfiles({ client }, query)) {
      yield (page.ServiceProfileList ?? []).map(toProfile)
    }
  },
})

function toProfile({ Id = '', Name }: DeviceProfile | ServiceProfile): Choice {
  return toChoice(Id, Name)
}
