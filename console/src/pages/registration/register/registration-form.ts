import { type AccountKey, accountInBody } from '../../../accounts/account-key.ts'
import type { Operations, Schemas } from '../../../api/generated.ts'
import { compareNames } from '../../../ui/names.ts'
import { plainHex } from '../label/hex.ts'

export type DeviceForm = Schemas['DeviceForm']
export type RegistrationBody = Operations['POST /devices']['body']

/** The values of the form, as text. */
export interface FormValues {
  deviceName: string
  deviceId: string
  joinEui: string
  deviceKey: string
  deviceType: string | null
  account: AccountKey
  appRegion: string | null
  frequencyPlan: string | null
  gatewayId: string | null
  groups: string[]
  deviceProfile: string
  lorawan: {
    activation: 'otaa' | 'abp'
    version: '1.0' | '1.1'
    deviceClass: 'A' | 'C'
    devAddr: string
    networkKey: string
  }
}

const rememberedKey = 'register'

/** What is the same for the next device of a box: kept in this browser, without EUIs and keys. */
type Remembered = Pick<
  FormValues,
  'deviceType' | 'appRegion' | 'frequencyPlan' | 'groups' | 'deviceProfile'
> & { lorawan: Pick<FormValues['lorawan'], 'activation' | 'version' | 'deviceClass'> }

export function readRemembered(network: string): Partial<Remembered> {
  try {
    const stored = JSON.parse(localStorage.getItem(`${rememberedKey} ${network}`) ?? '{}')
    return typeof stored === 'object' && stored !== null ? (stored as Partial<Remembered>) : {}
  } catch {
    return {}
  }
}

export function remember(network: string, values: FormValues): void {
  const { deviceType, appRegion, frequencyPlan, groups, deviceProfile } = values
  const { activation, version, deviceClass } = values.lorawan
  const lorawan = { activation, version, deviceClass }
  const kept: Remembered = {
    deviceType,
    appRegion,
    frequencyPlan,
    groups,
    deviceProfile,
    lorawan,
  }
  localStorage.setItem(`${rememberedKey} ${network}`, JSON.stringify(kept))
}

export type FieldName = keyof DeviceForm['fields']

export function isUsed(form: DeviceForm, name: FieldName): boolean {
  return form.fields[name] !== 'na'
}

export function isRequired(form: DeviceForm, name: FieldName): boolean {
  const field = form.fields[name]
  return field !== 'na' && field.validation === 'required'
}

/** The choices of a field, sorted by what people read. */
export function choicesOf(form: DeviceForm, name: FieldName): { value: string; label: string }[] {
  const field = form.fields[name]
  const values = field === 'na' || Array.isArray(field.values) ? {} : (field.values ?? {})
  return Object.entries(values)
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => compareNames(one.label, other.label))
}

/** A stored choice, if it is still one. */
export function stillChosen(
  form: DeviceForm,
  name: FieldName,
  value: string | null | undefined,
): string | null {
  return choicesOf(form, name).some((choice) => choice.value === value) ? (value ?? null) : null
}

/** The stored settings, as far as the network takes them. */
export function stillTaken(
  { lorawan: takes, profile_field }: Schemas['FleetNetwork']['capabilities'],
  { deviceProfile, lorawan }: Partial<Remembered>,
): Pick<FormValues, 'deviceProfile' | 'lorawan'> {
  const { activation, version, deviceClass } = lorawan ?? {}
  return {
    deviceProfile: profile_field === null ? '' : (deviceProfile ?? ''),
    lorawan: {
      activation: activation === 'abp' && takes.includes('abp') ? 'abp' : 'otaa',
      version: version === '1.1' && takes.includes('1.1') ? '1.1' : '1.0',
      deviceClass: deviceClass === 'C' && takes.includes('class_c') ? 'C' : 'A',
      devAddr: '',
      networkKey: '',
    },
  }
}

/** The values with what the catalogue says of how a model speaks, as far as the network takes it. */
export function withRadio(
  form: DeviceForm,
  capabilities: Schemas['FleetNetwork']['capabilities'],
  values: FormValues,
  profile: Schemas['CatalogueProfile'],
): FormValues {
  const { activation, device_class: deviceClass, mac_version: macVersion } = profile
  const version = macVersion.startsWith('1.1') ? '1.1' : '1.0'
  const { lorawan } = stillTaken(capabilities, { lorawan: { activation, version, deviceClass } })
  const { devAddr, networkKey } = values.lorawan
  return {
    ...values,
    lorawan: { ...lorawan, devAddr, networkKey },
    appRegion: stillChosen(form, 'appRegion', profile.region) ?? values.appRegion,
  }
}

/**
 * The body of the registration. LoRaWAN settings that are the usual ones are left out, so that the service
 * takes those of the type's model, unless these were shown: then they stay as they were left (`saysRadio`).
 */
export function toBody(
  form: DeviceForm,
  values: FormValues,
  action: RegistrationBody['action'],
  saysRadio = false,
): RegistrationBody {
  const [network] = choicesOf(form, 'network')
  const { deviceType, gatewayId } = values
  return {
    network: Number(network?.value ?? 0),
    deviceName: values.deviceName.trim(),
    deviceId: plainHex(values.deviceId),
    deviceKey: plainHex(values.deviceKey),
    // The API reports an absent choice, together with all other faults.
    deviceType: (deviceType === null ? undefined : Number(deviceType)) as number,
    ...accountInBody(values.account),
    action,
    joinEui: hasJoinEui(form, values) ? plainHex(values.joinEui) || null : null,
    appRegion: isUsed(form, 'appRegion') ? values.appRegion : null,
    frequencyPlan: isUsed(form, 'frequencyPlan') ? values.frequencyPlan : null,
    ...(gatewayId === null ? {} : { gatewayId: Number(gatewayId) }),
    ...(values.groups.length > 0 ? { groups: values.groups.map(Number) } : {}),
    ...(values.deviceProfile.trim() === '' ? {} : { deviceProfile: values.deviceProfile.trim() }),
    ...toRadio(values.lorawan, saysRadio),
  }
}

/** A device without a join has none. */
export function hasJoinEui(form: DeviceForm, { lorawan }: FormValues): boolean {
  return isUsed(form, 'joinEui') && lorawan.activation === 'otaa'
}

/** Fields that the choices hide are not sent. */
function toRadio({ activation, deviceClass, ...typed }: FormValues['lorawan'], saysRadio: boolean) {
  const isFixed = activation === 'abp'
  const version = isFixed ? '1.0' : typed.version
  if (!isFixed && version === '1.0' && deviceClass === 'A' && !saysRadio) return {}
  const keys = {
    ...(isFixed && { devAddr: plainHex(typed.devAddr) || null }),
    ...((isFixed || version === '1.1') && { networkKey: plainHex(typed.networkKey) || null }),
  }
  return { lorawan: { activation, version, deviceClass, ...keys } }
}
