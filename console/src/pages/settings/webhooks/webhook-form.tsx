import { Checkbox, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect } from 'react'
import type { ApiError } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import { TagChoiceField } from '../../../tags/tag-fields.tsx'
import { DraftNotice, type KeptDraft } from '../../../ui/draft.tsx'
import { FormButtons } from '../../../ui/form-buttons.tsx'
import { groupNames } from '../../../ui/group-names.ts'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { BrokerFields, type BrokerValues, brokerBodyOf, brokerValuesOf } from './broker-fields.tsx'
import { type EventKind, eventChoices, type Webhook } from './webhook-words.ts'

interface Values {
  name: string
  url: string
  events: EventKind[]
  group: string | null
  type: string | null
  network: string | null
  /** Empty for none. */
  tag: string
  kind: 'server' | 'broker'
  mqtt: BrokerValues
}

interface WebhookFormProps {
  webhook?: Webhook
  draft: KeptDraft<Values>
  action: string
  error: ApiError | null
  isPending: boolean
  onSubmit: (values: Values) => void
  onClose: () => void
}

/** The address, the events, and which devices they come from. */
export function WebhookForm({ webhook, draft, action, error, ...does }: WebhookFormProps) {
  const form = useForm<Values>({ initialValues: draft.start, onValuesChange: draft.keep })
  const { setErrors } = form
  const { kind, mqtt } = form.getValues()
  useEffect(() => {
    // A broker's fields at the address of a server: the address is what to change.
    if (error) setErrors({ ...error.errors, url: error.errors.url ?? error.errors.mqtt })
  }, [error, setErrors])
  const hasOwnPlace = error && Object.keys(error.errors).length > 0
  return (
    <form onSubmit={form.onSubmit(does.onSubmit)}>
      <Stack>
        <DraftNotice draft={draft} hasSecrets={kind === 'broker'} onStartOver={form.setValues} />
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <SegmentedControl
          aria-label="Where events go"
          data={[
            { value: 'server', label: 'To a server' },
            { value: 'broker', label: 'To an MQTT broker' },
          ]}
          {...form.getInputProps('kind')}
        />
        <TextInput
          label="Address"
          {...addressWords[kind]}
          required
          {...form.getInputProps('url')}
        />
        {kind === 'broker' && (
          <BrokerFields
            stored={webhook?.mqtt}
            hasDiscovery={mqtt.discovery}
            getInputProps={form.getInputProps}
          />
        )}
        <Checkbox.Group label="Events" required {...form.getInputProps('events')}>
          <Stack gap="xs" mt="xs">
            {eventChoices.map(({ value, label, what }) => (
              <Checkbox key={value} value={value} label={label} description={what} />
            ))}
          </Stack>
        </Checkbox.Group>
        <DeviceFields getInputProps={form.getInputProps} />
        {error && !hasOwnPlace && <ErrorNotice error={error} />}
        <FormButtons action={action} isBusy={does.isPending} onCancel={does.onClose} />
      </Stack>
    </form>
  )
}

export function valuesOf(webhook: Webhook | undefined): Values {
  return {
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    events: webhook?.events ?? ['uplink'],
    group: textOf(webhook?.group),
    type: textOf(webhook?.type),
    network: webhook?.network ?? null,
    tag: webhook?.tag ?? '',
    kind: webhook?.mqtt ? 'broker' : 'server',
    mqtt: brokerValuesOf(webhook?.mqtt),
  }
}

const addressWords = {
  server: {
    description: "Your server's, with https://. The secret of the signature comes next.",
    placeholder: 'https://example.com/lora',
  },
  broker: {
    description: "Your broker's, with mqtts:// or wss://.",
    placeholder: 'mqtts://broker.example.com:8883',
  },
}

/** Narrows the devices: all of them without a choice. */
function DeviceFields({
  getInputProps,
}: {
  getInputProps: (name: 'group' | 'type' | 'network' | 'tag') => object
}) {
  const groups = useApi('GET /fleet/groups', {})
  const types = useApi('GET /get-device-types', { query: { itemsPerPage: 1000 } })
  const networks = useApi('GET /fleet/networks', {})
  const shared = { placeholder: 'All', clearable: true, searchable: true }
  return (
    <>
      <Select
        label="Devices of the group"
        description="And of the groups below it."
        data={[...groupNames(groups.data?.data ?? [])].map(([id, label]) => ({
          value: String(id),
          label,
        }))}
        {...shared}
        {...getInputProps('group')}
      />
      <Select
        label="Of the type"
        data={(types.data?.data ?? []).map(({ id, full_name }) => ({
          value: String(id),
          label: full_name,
        }))}
        {...shared}
        {...getInputProps('type')}
      />
      <Select
        label="At the network"
        data={(networks.data?.data ?? []).map(({ key, name }) => ({ value: key, label: name }))}
        {...shared}
        {...getInputProps('network')}
      />
      <TagChoiceField {...getInputProps('tag')} />
    </>
  )
}

export function bodyOf({ group, type, kind, mqtt, ...values }: Values) {
  const broker = kind === 'broker' ? { mqtt: brokerBodyOf(mqtt) } : {}
  return { ...values, ...broker, group: numberOf(group), type: numberOf(type) }
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text)
}

function textOf(id: number | null | undefined): string | null {
  return id === null || id === undefined ? null : String(id)
}
