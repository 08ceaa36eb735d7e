import { Alert, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Answer } from '../../api/client.ts'
import { useAction, useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { DraftNotice, useDraft } from '../../ui/draft.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { ErrorNotice, FormError, tellSuccess } from '../../ui/notices.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import { accountFields, type FormField, fieldsOf, textOf } from './gateway-form-fields.ts'
import classes from './gateways.module.css'

type Network = Answer<'GET /fleet/networks'>['data'][number]

/** The fields that the network asks for. */
export function GatewayForm({ network }: { network: Network }) {
  const form = useApi('GET /configurations', { query: { network: network.key, type: 'gateway' } })
  const more = useMore(network.key)
  const error = form.error ?? more.error
  if (error) return <ErrorNotice error={error} retry={() => void form.refetch()} />
  if (!form.data || !more.data || 'payment' in form.data) return <LoadingLines count={4} />
  const { fields, data } = form.data.form
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {textOf(data.description)}
      </Text>
      {network.accounts.length === 0 && network.key !== 'other' && (
        <Alert
          color="yellow"
          variant="outline"
          title={
            <span className={classes.warning}>
              {t('{name} is not connected', { name: network.name })}
            </span>
          }
        >
          {t('The gateway would wait here until it is. ')}
          <Link to="/networks">{t('Connect {name} first', { name: network.name })}</Link>
        </Alert>
      )}
      <Fields
        network={network}
        fields={[
          ...fieldsOf(fields, { ...more.data, models: data.models }),
          ...accountFields(network),
        ]}
      />
    </Stack>
  )
}

/** The choices of the contract's form that `/configurations` lacks: plans and clusters. */
function useMore(network: string) {
  return useApi('POST /gateways/create', { query: { gatewayType: network }, body: undefined })
}

interface FieldsProps {
  network: Network
  fields: readonly FormField[]
}

function Fields({ network, fields }: FieldsProps) {
  const navigate = useNavigate()
  const draft = useDraft<Record<string, string>>(`gateway ${network.key}`, {})
  const [values, setValues] = useState(draft.start)
  const change = (next: Record<string, string>) => {
    setValues(next)
    draft.keep(next)
  }
  const register = useAction('POST /gateways', { invalidates: ['GET /fleet/gateways'] })
  const { submit, isBusy, errorOf, rest } = useSubmit(async () => {
    const body = { ...values, gateway_bridge: network.key }
    const { gateway, warnings } = await register.mutateAsync({ body })
    draft.forget()
    tellSuccess(
      warnings?.[0] ?? t('{gatewayname} is registered.', { gatewayname: gateway.gateway_name }),
    )
    void navigate({ to: '/gateways/$gatewayId', params: { gatewayId: String(gateway.id) } })
  })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <DraftNotice draft={draft} onStartOver={setValues} />
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            error={errorOf(field.name)}
            onChange={(value) => change({ ...values, [field.name]: value })}
          />
        ))}
        <FormError {...rest} />
        <Group>
          <ActionButton type="submit" needs="manage_gateways" loading={isBusy}>
            {t('Register gateway')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

interface FieldProps {
  field: FormField
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function Field({ field, value, error, onChange }: FieldProps) {
  const { name, label, isRequired, choices, hint, isCode } = field
  const common = { label, withAsterisk: isRequired, description: hint, error, value, name }
  if (choices) {
    return (
      <NativeSelect
        {...common}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[{ value: '', label: isRequired ? t('Choose') : t('None') }, ...choices]}
      />
    )
  }
  if (name === 'description') {
    return (
      <Textarea
        {...common}
        rows={2}
        maxLength={1000}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      {...common}
      autoComplete="off"
      spellCheck={!isCode}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(isCode && {
        onBlur: () => onChange(withoutSeparators(value)),
        classNames: { input: classes.eui },
      })}
    />
  )
}

/** Labels print EUIs with dashes, colons or blanks between the bytes. */
function withoutSeparators(text: string): string {
  const bare = text.replace(/[\s:-]/g, '')
  return /^[0-9a-f]*$/i.test(bare) ? bare.toUpperCase() : text
}
