import { Group, SegmentedControl, TextInput, useMantineColorScheme } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useSession } from '../../../session/session.ts'
import { Card } from '../../../ui/card.tsx'
import { Form } from '../../../ui/form.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { OwnFormatFields } from './own-formats.tsx'
import { TimeZoneField } from './time-zone-field.tsx'

export function ProfilePage() {
  const { session, organization } = useSession()
  return (
    <SettingsPage title={t('Profile')} description={session.user.email}>
      <Card title={t('Name')} note={t('Other members see it, in every organization.')}>
        <NameForm />
      </Card>
      <Card title={t('Time zone')} note={t('All times of the console are shown in it.')}>
        <TimeZoneField />
      </Card>
      <Card
        title={t('Units and formats')}
        note={t('Of all numbers, readings and times in the console, and in mails to you.')}
      >
        <OwnFormatFields key={organization.id} />
      </Card>
      <Card title={t('Colours')} note={t('Kept in this browser.')}>
        <ThemeField />
      </Card>
    </SettingsPage>
  )
}

function NameForm() {
  const { first_name, last_name } = useSession().session.user
  const form = useForm({ initialValues: { first_name, last_name } })
  const action = useAction('PATCH /user', {
    invalidates: ['GET /auth/session', 'GET /organization/users'],
  })
  const send = async () => {
    const { last_name: last, ...body } = form.getValues()
    // A user may have only one name; an empty one is left as it is.
    await action.mutateAsync({ body: { ...body, ...(last ? { last_name: last } : {}) } })
    tellSuccess(t('Your name is changed.'))
  }
  return (
    <Form action={t('Save name')} onSubmit={send}>
      {(errorOf) => (
        <>
          <TextInput
            label={t('First name')}
            autoComplete="given-name"
            required
            {...form.getInputProps('first_name')}
            error={errorOf('first_name')}
          />
          <TextInput
            label={t('Last name')}
            autoComplete="family-name"
            {...form.getInputProps('last_name')}
            error={errorOf('last_name')}
          />
        </>
      )}
    </Form>
  )
}

function ThemeField() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Group>
      <SegmentedControl
        aria-label={t('Colours')}
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as 'auto' | 'light' | 'dark')}
        data={[
          { value: 'auto', label: t('System') },
          { value: 'light', label: t('Light') },
          { value: 'dark', label: t('Dark') },
        ]}
      />
    </Group>
  )
}
