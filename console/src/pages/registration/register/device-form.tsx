import { Group, MultiSelect, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { accountChoices } from '../../../accounts/account-key.ts'
import type { Schemas } from '../../../api/generated.ts'
import { t } from '../../../languages/text.ts'
import { useReason } from '../../../ui/action-button.tsx'
import { HexInput } from './hex-input.tsx'
import { keyLabelOf, RadioFields } from './radio-fields.tsx'
import {
  choicesOf,
  type DeviceForm,
  type FieldName,
  type FormValues,
  hasJoinEui,
  isRequired,
  isUsed,
} from './registration-form.ts'

interface FieldsProps {
  form: DeviceForm
  network: Schemas['FleetNetwork']
  /** The network of devices with a frequency plan or a gateway if it is another. */
  variantName: string | undefined
  inputs: UseFormReturnType<FormValues>
  /** The inputs, as far as the network takes them. */
  values: FormValues
  /** Where scanned values come from, by field. */
  sources: Partial<Record<keyof FormValues, string>>
}

/** The fields that the network's form has, with the API's messages next to them. */
export function DeviceFields(props: FieldsProps) {
  return (
    <Stack gap="sm">
      <OwnFields {...props} />
      <SharedFields {...props} />
    </Stack>
  )
}

/** What each device has of its own. */
export function OwnFields({ form, inputs, values, sources }: Omit<FieldsProps, 'network'>) {
  const hex = (name: 'deviceId' | 'joinEui' | 'deviceKey') => ({
    value: inputs.values[name],
    onChange: (value: string) => inputs.setFieldValue(name, value),
    error: inputs.errors[name] as string | undefined,
    source: sources[name],
  })
  return (
    <>
      <TextInput
        label={t('Name')}
        withAsterisk
        autoComplete="off"
        placeholder={t('Front door')}
        {...inputs.getInputProps('deviceName')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
        <HexInput label="DevEUI" length={16} isRequired {...hex('deviceId')} />
        {hasJoinEui(form, values) && (
          <HexInput
            label="JoinEUI"
            length={16}
            placeholder={form.data.joinEui[0] ?? ''}
            {...hex('joinEui')}
          />
        )}
      </SimpleGrid>
      <HexInput label={keyLabelOf(values.lorawan)} length={32} isRequired {...hex('deviceKey')} />
    </>
  )
}

/** What is usually the same for the devices of a box. */
export function SharedFields(props: Omit<FieldsProps, 'sources'>) {
  const { form, network, variantName, inputs, values } = props
  const { accounts } = network
  return (
    <>
      <Select
        label={t('Type')}
        withAsterisk
        searchable
        nothingFoundMessage={t('No type has this in its name')}
        placeholder={t('Search by name or part number')}
        data={choicesOf(form, 'deviceTypeId')}
        {...inputs.getInputProps('deviceType')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <FormSelect form={form} inputs={inputs} name="appRegion" label={t('Region')} />
        <FormSelect form={form} inputs={inputs} name="frequencyPlan" label={t('Frequency plan')} />
        <FormSelect form={form} inputs={inputs} name="gatewayId" label={t('Gateway')} />
      </SimpleGrid>
      {variantName !== undefined && (
        <Text size="sm" c="dimmed">
          {t('With a frequency plan or a gateway, the device is registered at {variantName}.', {
            variantName,
          })}
        </Text>
      )}
      <Group grow align="flex-start">
        <GroupChoice form={form} inputs={inputs} />
        {accounts.length > 1 && (
          <Select
            label={t('Account')}
            allowDeselect={false}
            data={accountChoices(accounts)}
            {...inputs.getInputProps('account')}
            value={values.account}
          />
        )}
      </Group>
      <RadioFields network={network} inputs={inputs} />
    </>
  )
}

interface SelectProps extends Pick<FieldsProps, 'form' | 'inputs'> {
  name: FieldName & keyof FormValues
  label: string
}

function FormSelect({ form, inputs, name, label }: SelectProps) {
  if (!isUsed(form, name)) return null
  return (
    <Select
      label={label}
      searchable
      clearable
      withAsterisk={isRequired(form, name)}
      data={choicesOf(form, name)}
      {...inputs.getInputProps(name)}
    />
  )
}

function GroupChoice({ form, inputs }: Pick<FieldsProps, 'form' | 'inputs'>) {
  const reason = useReason('manage_groups')
  const groups = choicesOf(form, 'groups')
  return (
    <MultiSelect
      label={t('Groups')}
      searchable
      clearable
      disabled={reason !== undefined || groups.length === 0}
      description={reason ?? (groups.length === 0 ? t('There are no groups yet.') : undefined)}
      data={groups}
      {...inputs.getInputProps('groups')}
    />
  )
}
