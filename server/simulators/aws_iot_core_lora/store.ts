import type { JsonObject } from '../../src/networks/message-fields.ts'
import type { FarAccess } from '../aws/authorization.ts'
import type { FarGateway } from '../far-dialect.ts'
import type { FarSide } from '../far-side.ts'
import { ownerRadio, type RadioKind } from '../owner-radio.ts'
import type { Random } from '../random.ts'

interface DeviceProfile {
  RfRegion: string
  MacVersion: string
  RegParamsRevision: string
  SupportsJoin: boolean
  SupportsClassC: boolean
}

const usualProfile: DeviceProfile = {
  RfRegion: 'EU868',
  MacVersion: '1.0.3',
  RegParamsRevision: 'RP002-1.0.1',
  SupportsJoin: true,
  SupportsClassC: false,
}

/** The account of the simulated region, with the objects that its owner made in the console. */
export const account = {
  region: 'us-east-1',
  accessKeyId: 'AKIASIMULATEDACCOUNT',
  secretAccessKey: 'simulated/secret/access/key/0123456789ab',
  accountNumber: '123456789012',
  destination: 'fleet',
  roleArn: 'arn:aws:iam::123456789012:role/iotwireless-destination',
  ruleName: 'fleet_uplinks',
  topic: 'lorawan/uplinks',
  deviceProfileId: '1f0a6b6e-0b2f-4f8e-9d55-6d8f3c1f7a10',
  serviceProfileId: '5b9c2f2a-7c1e-4f6f-8a3b-2d6c9e0f4b21',
} as const satisfies FarAccess & Record<string, string>

/**
 * The device profiles, as LoRaWANDeviceProfile has them: that of the account, one for class C, one of
 * LoRaWAN 1.1, and one for devices without a join.
 */
export const deviceProfiles: Readonly<Record<string, DeviceProfile>> = {
  [account.deviceProfileId]: usualProfile,
  '2a0a6b6e-0b2f-4f8e-9d55-6d8f3c1f7a10': { ...usualProfile, SupportsClassC: true },
  '2b0a6b6e-0b2f-4f8e-9d55-6d8f3c1f7a10': { ...usualProfile, MacVersion: '1.1' },
  '2c0a6b6e-0b2f-4f8e-9d55-6d8f3c1f7a10': {
    ...usualProfile,
    SupportsJoin: false,
    SupportsClassC: true,
  },
}

/** A device in the form of the API. */
export interface FarWirelessDevice {
  Id: string
  Arn: string
  Type: 'LoRaWAN'
  DestinationName: string
  Description?: string
  LoRaWAN: JsonObject
}

export interface FarWirelessGateway {
  Id: string
  Arn: string
  Description?: string
  LoRaWAN: JsonObject
}

export type WirelessSide = FarSide<FarWirelessDevice, FarWirelessGateway>
export type WirelessGateway = FarGateway<FarWirelessGateway>

/** Makes the record of a device that the account's owner adds in the console. */
export function createRecord(
  random: Random,
  devEui: string,
  destination: string = account.destination,
): FarWirelessDevice {
  return {
    ...nameResource(random, 'WirelessDevice'),
    Type: 'LoRaWAN',
    DestinationName: destination,
    LoRaWAN: {
      DevEui: devEui.toLowerCase(),
      DeviceProfileId: account.deviceProfileId,
      ServiceProfileId: account.serviceProfileId,
      OtaaV1_0_x: { AppKey: random.hexadecimal(16), AppEui: random.hexadecimal(8) },
    },
  }
}

/** Members of LoRaWANDevice; undefined ones are left out of an answer. */
export function ofKind(kind: RadioKind): JsonObject {
  const { appKey, networkKey, devAddr, joinEui } = ownerRadio
  const FPorts = { ClockSync: 202 }
  const [ofClassC = '', of11 = '', ofAbp = ''] = Object.keys(deviceProfiles).slice(1)
  if (kind === 'abp') {
    const SessionKeys = { NwkSKey: networkKey, AppSKey: appKey }
    const AbpV1_0_x = { DevAddr: devAddr, SessionKeys }
    return { DeviceProfileId: ofAbp, FPorts, OtaaV1_0_x: undefined, AbpV1_0_x }
  }
  const join = { AppKey: appKey, JoinEui: joinEui }
  if (kind === 'class_c') return { DeviceProfileId: ofClassC, FPorts, OtaaV1_0_x: join }
  const OtaaV1_1 = { ...join, NwkKey: networkKey }
  return { DeviceProfileId: of11, FPorts, OtaaV1_0_x: undefined, OtaaV1_1 }
}

export function nameResource(random: Random, kind: 'WirelessDevice' | 'WirelessGateway') {
  const Id = random.uuid()
  const { region, accountNumber } = account
  return { Id, Arn: `arn:aws:iotwireless:${region}:${accountNumber}:${kind}/${Id}` }
}
