import { Fieldset, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Schemas } from '../../../api/generated.ts'
import { t } from '../../../languages/text.ts'
import { HexInput } from './hex-input.tsx'
import type { FormValues } from './registration-form.ts'

type Network = Schemas['FleetNetwork']

interface RadioProps {
  network: Network
  inputs: UseFormReturnType<FormValues>
}

/** How the device speaks, as far as its network takes other devices than the usual ones. */
export function RadioFields({ network, inputs }: RadioProps) {
  const { lorawan: takes, profile_field: profileField } = network.capabilities
  if (takes.length === 0 && profileField === null) return null
  const label = network.fields.find(({ name }) => name === profileField)?.label
  return (
    <Fieldset legend={t('LoRaWAN')}>
      <Stack gap="sm">
        {takes.length > 0 && <RadioChoices network={network} inputs={inputs} />}
        <SecondKey inputs={inputs} />
        {profileField !== null && (
          <TextInput
            label={label ?? t('Device profile')}
            description={t('For this device only. Empty: that of its type or of the account.')}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            {...inputs.getInputProps('deviceProfile')}
          />
        )}
      </Stack>
    </Fieldset>
  )
}

const activations = [
  { value: 'otaa', label: t('Joins over the air (OTAA)') },
  { value: 'abp', label: t('Without a join (ABP)') },
]
const versions = [
  { value: '1.0', label: '1.0.x' },
  { value: '1.1', label: '1.1' },
]
const classes = [
  { value: 'A', label: t('A: listens after it sends') },
  { value: 'C', label: t('C: always listens') },
]

function RadioChoices({ network, inputs }: RadioProps) {
  const { lorawan: takes } = network.capabilities
  const isJoining = inputs.values.lorawan.activation === 'otaa'
  const choice = (name: 'activation' | 'version' | 'deviceClass') => ({
    allowDeselect: false,
    ...inputs.getInputProps(`lorawan.${name}`),
  })
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      {takes.includes('abp') && (
        <Select label={t('Activation')} data={activations} {...choice('activation')} />
      )}
      {takes.includes('1.1') && isJoining && (
        <Select label={t('LoRaWAN version')} data={versions} {...choice('version')} />
      )}
      {takes.includes('class_c') && (
        <Select label={t('Class')} data={classes} {...choice('deviceClass')} />
      )}
    </SimpleGrid>
  )
}

/** What LoRaWAN 1.1 and devices without a join have besides the device key. */
function SecondKey({ inputs }: Pick<RadioProps, 'inputs'>) {
  const { activation, version, devAddr, networkKey } = inputs.values.lorawan
  const isJoining = activation === 'otaa'
  if (isJoining && version === '1.0') return null
  const hex = (name: 'devAddr' | 'networkKey') => ({
    isRequired: true,
    onChange: (value: string) => inputs.setFieldValue(`lorawan.${name}`, value),
    error: inputs.errors[`lorawan.${name}`] as string | undefined,
  })
  return (
    <>
      {!isJoining && (
        <HexInput label={t('Device address')} length={8} value={devAddr} {...hex('devAddr')} />
      )}
      <HexInput
        label={isJoining ? t('Network key (NwkKey)') : t('Network session key (NwkSKey)')}
        length={32}
        value={networkKey}
        {...hex('networkKey')}
      />
    </>
  )
}

/** The device key by the name that its maker gives it. */
export function keyLabelOf({ activation, version }: FormValues['lorawan']): string {
  if (activation === 'abp') return t('Device key (AppSKey)')
  return version === '1.1' ? t('Device key (AppKey)') : t('Device key')
}
