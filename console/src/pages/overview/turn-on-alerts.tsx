import { Button, Group, Text } from '@mantine/core'
import { useRef } from 'react'
import { SuggestedRules } from '../../alerts/suggested-rules.tsx'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { usePreference } from '../../session/preference.ts'
import { useMay } from '../../session/session.ts'
import { Card } from '../../ui/card.tsx'
import { LinkButton } from '../../ui/link.tsx'

/**
 * The last of the first steps: what one wants to hear of. Gone with the first rule, or when somebody wants
 * none. Nothing of it is asked for by who may make no rules.
 */
export function TurnOnAlerts() {
  const may = useMay('manage_devices')
  const passed = usePreference('alerts_offered', t('Could not keep that you want no alerts.'))
  const isAsked = may && passed.value === undefined
  const { data } = useApi('GET /alert-rules/suggestions', {}, { enabled: isAsked })
  const isOffered = useRef(false)
  // It stays while one rule after the other is turned on.
  if (data?.rules === 0) isOffered.current = true
  if (!isAsked || !data || !isOffered.current) return null
  return (
    <Card title={t('Turn on alerts')}>
      <Text size="sm" c="dimmed">
        {t(
          'Turn on what you want to hear of. Alerts shows it, and if the service has a mail server, you get a mail.',
        )}
      </Text>
      <SuggestedRules suggested={data.data} />
      <Group>
        <LinkButton to="/alerts/rules" variant="default">
          {t('Make another rule')}
        </LinkButton>
        <Button variant="subtle" onClick={() => passed.save('yes')}>
          {data.rules > 0 ? t('Done') : t('Not now')}
        </Button>
      </Group>
    </Card>
  )
}
