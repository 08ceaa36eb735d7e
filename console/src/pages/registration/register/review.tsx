import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { Schemas } from '../../../api/generated.ts'
import { t } from '../../../languages/text.ts'
import { lorawanWords } from '../../../radio/lorawan-words.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { LinkButton } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { choicesOf, type DeviceForm, type FormValues, toBody } from './registration-form.ts'

export interface Validated {
  payment: Schemas['Payment']
  profile_of_model?: Schemas['ProfileOfModel'] | undefined
  warnings?: string[] | undefined
}

interface ReviewProps {
  form: DeviceForm
  networkName: string
  values: FormValues
  validated: Validated
  isBusy: boolean
  error: unknown
  onConfirm: () => void
  onBack: () => void
}

/** The last step: what will be registered, what it costs, and what the network may say. */
export function Review(props: ReviewProps) {
  const { form, networkName, values, validated, isBusy, error, onConfirm, onBack } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { plan } = validated.payment
  const body = toBody(form, values, 'confirm')
  const profile = body.deviceProfile ?? wordsOf(validated.profile_of_model, networkName)
  const type = choicesOf(form, 'deviceTypeId').find(({ value }) => value === values.deviceType)
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="review">
      <Stack>
        <Title order={2} size="h4" id="review" tabIndex={-1} ref={heading}>
          {t('Register this device?')}
        </Title>
        <Facts
          rows={[
            [t('Name'), body.deviceName],
            ['DevEUI', <code key="eui">{body.deviceId}</code>],
            [t('Type'), type?.label],
            [t('Network'), networkName],
            ...(profile ? [[t('Device profile'), profile] as const] : []),
            ...(body.lorawan
              ? [['LoRaWAN', lorawanWords({ ...values.lorawan, ...body.lorawan })] as const]
              : []),
          ]}
        />
        {typeof plan === 'object' && <PaymentNotice plan={plan} />}
        {validated.warnings?.map((warning) => (
          <Notice key={warning} kind="warn" title={t('It will wait')}>
            <Text size="sm">{warning}</Text>
          </Notice>
        ))}
        {error !== undefined && error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <ActionButton variant="default" onClick={onBack}>
            {t('Change it')}
          </ActionButton>
          <ActionButton
            needs="manage_devices"
            loading={isBusy}
            blockedBy={plan ? t('Set up billing first.') : undefined}
            onClick={onConfirm}
          >
            {t('Register')}
          </ActionButton>
        </Group>
      </Stack>
    </Paper>
  )
}

function wordsOf(profile: Validated['profile_of_model'], network: string): string | undefined {
  return (
    profile &&
    t('One for {vendor} {model} in {region}. It is made at {network} if it is not there yet.', {
      ...profile,
      network,
    })
  )
}

function PaymentNotice({ plan }: { plan: Schemas['PlanOffer'] }) {
  const { addon } = plan
  const period = plan.interval === 1 ? plan.interval_unit : `${plan.interval} ${plan.interval_unit}`
  return (
    <Notice kind="warn" title={t('Billing is not set up')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {t('{name}: {price} per {period}, and {price2} for this device ({name2}).', {
            name: plan.name,
            price: plan.price,
            period,
            price2: addon.price,
            name2: addon.name,
          })}
        </Text>
        <LinkButton to="/billing" size="xs">
          {t('Set up billing')}
        </LinkButton>
      </Stack>
    </Notice>
  )
}
