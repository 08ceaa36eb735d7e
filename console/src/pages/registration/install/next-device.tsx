import { Button, Group, Stack } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Schemas } from '../../../api/generated.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { DraftNotice, useDraft } from '../../../ui/draft.tsx'
import { hexFault, plainHex } from '../label/hex.ts'
import { OwnFields, SharedFields } from '../register/device-form.tsx'
import { ModelChoice } from '../register/model-choice.tsx'
import { fitTo, type NetworkPair, placeOf } from '../register/network-variant.ts'
import { focusFirstFault, messagesOf, startValues } from '../register/registration.tsx'
import {
  type DeviceForm,
  type FieldName,
  type FormValues,
  isRequired,
  isUsed,
  type RegistrationBody,
  remember,
  toBody,
} from '../register/registration-form.ts'
import { type Scanned, ScanPanel } from '../register/scan-panel.tsx'
import { useModel } from '../register/use-model.ts'
import type { InstallFault } from './install-store.ts'
import { KeyFile, type KeyList } from './key-file.tsx'
import { KnownDevice } from './known-device.tsx'
import { nextName } from './next-name.ts'

/** A device to begin with: one that was refused. */
export interface Beginning {
  values: FormValues
  fault: InstallFault | undefined
}

interface NextDeviceProps {
  pair: NetworkPair
  form: DeviceForm
  /** Of the last one. */
  lastName: string | undefined
  /** The DevEUIs of those that are in the list. */
  known: ReadonlySet<string>
  beginning: Beginning | undefined
  hasCamera: boolean
  /** Fills in the key of the device that is scanned. */
  keyList: KeyList | undefined
  onKeyList: (list: KeyList) => void
  onCamera: () => void
  /** The choice of the network, if there are several. */
  networkChoice: ReactNode
  /** For a device that was registered before. */
  onKnown: (device: Schemas['FleetDevice'], values: FormValues) => void
  onInstall: (values: FormValues, body: RegistrationBody, networkName: string) => void
}

/** Where the values of fields are from. */
type Sources = Partial<Record<keyof FormValues, string>>

const fieldOf = { devEui: 'deviceId', joinEui: 'joinEui', appKey: 'deviceKey' } as const

/** Scan, name, register. What is the same for all is folded once it is chosen. */
export function NextDevice(props: NextDeviceProps) {
  const { pair, form, lastName, known, beginning, hasCamera, onCamera, networkChoice, keyList } =
    props
  const blank = { ...startValues(pair, form, undefined), deviceName: nextName(lastName) }
  const draft = useDraft(`install ${pair.network.key}`, blank)
  const inputs = useForm<FormValues>({
    initialValues: beginning?.values ?? draft.start,
    ...(beginning ? {} : { onValuesChange: draft.keep }),
    initialErrors: messagesOf(beginning?.fault?.errors ?? {}),
  })
  const network = placeOf(pair, inputs.values)
  const values = fitTo(network, inputs.values)
  const { takeModel, saysRadio } = useModel(form, network, inputs)
  const [sources, setSources] = useState<Sources>({})
  const [isOpen, setOpen] = useState(() => sharedFault(form, inputs.values) !== undefined)
  useEffect(() => {
    if (beginning) focusFirstFault()
  }, [beginning])
  const eui = plainHex(values.deviceId)
  const tellSources = (told: Sources) => setSources((before) => ({ ...before, ...told }))
  useKeyOf(eui, keyList, inputs, tellSources)
  const [profile, setProfile] = useState<string>()
  const scan = (found: Scanned[], profileId: string | undefined) => {
    setProfile(profileId)
    for (const { field, value } of found) inputs.setFieldValue(fieldOf[field], value)
    const entries = found.map(({ field, source }) => [fieldOf[field], source])
    tellSources(Object.fromEntries(entries))
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    const faults = faultsOf(form, values, { known, isLora: network.lora_variant === null })
    if (Object.keys(faults).length > 0) {
      flushSync(() => {
        if (sharedFields.some((name) => name in faults)) setOpen(true)
        inputs.setErrors(faults)
      })
      focusFirstFault()
      return
    }
    remember(pair.network.key, inputs.values)
    draft.forget()
    const typed = { ...values, deviceId: plainHex(values.deviceId) }
    props.onInstall(typed, toBody(form, typed, 'confirm', saysRadio), network.name)
  }
  const fields = { form, network, variantName: pair.variant?.name, inputs, values, sources }
  return (
    <form onSubmit={send} noValidate>
      <Card title={t('The next device')}>
        <Stack gap="sm">
          {!beginning && <DraftNotice draft={draft} hasSecrets onStartOver={inputs.setValues} />}
          <ScanPanel onScan={scan} hasCamera={hasCamera} onCamera={onCamera} />
          <KnownDevice
            eui={known.has(eui) ? '' : eui}
            onInstall={(device) => {
              draft.forget()
              props.onKnown(device, values)
            }}
          />
          <KeyFile list={keyList} onRead={props.onKeyList} />
          <OwnFields {...fields} />
          <Button
            variant="subtle"
            size="compact-sm"
            w="fit-content"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen
              ? t('Hide what is the same for all')
              : t('The same for all: type, group, network')}
          </Button>
          {isOpen && networkChoice}
          {(isOpen || profile !== undefined) && (
            <ModelChoice deviceType={values.deviceType} profile={profile} onChoose={takeModel} />
          )}
          {isOpen && <SharedFields {...fields} />}
          <Group justify="flex-end">
            <ActionButton type="submit" size="md" needs="manage_devices">
              {t('Register')}
            </ActionButton>
          </Group>
        </Stack>
      </Card>
    </form>
  )
}

/** Fills in what the maker's file says of the device. */
function useKeyOf(
  eui: string,
  keyList: KeyList | undefined,
  inputs: UseFormReturnType<FormValues>,
  tellSources: (sources: Sources) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed afterwards stays
  useEffect(() => {
    const known = keyList?.devices.get(eui)
    if (!known) return
    inputs.setFieldValue('deviceKey', known.deviceKey)
    if (known.joinEui) inputs.setFieldValue('joinEui', known.joinEui)
    if (known.deviceName) inputs.setFieldValue('deviceName', known.deviceName)
    tellSources({ deviceKey: t('from {file}', { file: keyList?.file }) })
  }, [eui, keyList])
}

const sharedFields = ['deviceType', 'appRegion', 'frequencyPlan', 'gatewayId'] as const

/** What is wrong before the service is asked: in a cellar it cannot be. */
function faultsOf(
  form: DeviceForm,
  values: FormValues,
  { known, isLora }: { known: ReadonlySet<string>; isLora: boolean },
): Record<string, string> {
  const faults: Record<string, string | undefined> = {
    deviceName: values.deviceName.trim() === '' ? t('Enter a name.') : undefined,
    deviceId:
      hexFault(values.deviceId, 16) ??
      (values.deviceId === '' ? t('Scan the code, or enter the DevEUI.') : undefined) ??
      (known.has(plainHex(values.deviceId)) ? t('This device is in the list below.') : undefined),
    joinEui: hexFault(values.joinEui, 16),
    deviceKey: keyFault(values.deviceKey, isLora),
    ...sharedFault(form, values),
  }
  const found = Object.entries(faults).filter((entry): entry is [string, string] => !!entry[1])
  return Object.fromEntries(found)
}

/** Keys of other than LoRa devices are any 32 characters. */
function keyFault(key: string, isLora: boolean): string | undefined {
  if (key === '') return t('Enter the key.')
  return isLora ? hexFault(key, 32) : undefined
}

/** What has to be chosen and is not; undefined if nothing is missing. */
function sharedFault(form: DeviceForm, values: FormValues): Record<string, string> | undefined {
  const isMissing = (name: (typeof sharedFields)[number]) => {
    if (values[name] !== null) return false
    const field: FieldName = name === 'deviceType' ? 'deviceTypeId' : name
    return name === 'deviceType' || (isUsed(form, field) && isRequired(form, field))
  }
  const missing = sharedFields.filter(isMissing)
  if (missing.length === 0) return undefined
  return Object.fromEntries(missing.map((name) => [name, t('Choose one.')]))
}
