import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { SuggestedRules } from '../../../alerts/suggested-rules.tsx'
import { useApi } from '../../../api/hooks.ts'
import { rich, t } from '../../../languages/text.ts'
import { Card } from '../../../ui/card.tsx'
import { Link, LinkButton } from '../../../ui/link.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines, Page } from '../../../ui/page.tsx'
import { State } from '../../../ui/state.tsx'
import { NetworkStep } from './network-step.tsx'
import classes from './start.module.css'
import { isConnected, type StepKey, stepKeys, stepTitles, useSteps } from './steps.ts'
import { TakeOverStep } from './take-over-step.tsx'

const route = getRouteApi('/shell/start')

/** From the first start to the own fleet on screen, one step after the other. */
export function StartPage() {
  const steps = useSteps()
  return (
    <Page
      title={t('First steps')}
      description={t(
        'From your network to your fleet on screen. Skip what you like: you find this page again in the menu of your name.',
      )}
    >
      {steps.error && <ErrorNotice error={steps.error} />}
      {!steps.isKnown && !steps.error && <LoadingLines count={6} />}
      {steps.isKnown && <Steps steps={steps} />}
    </Page>
  )
}

type Steps = ReturnType<typeof useSteps>

function Steps({ steps }: { steps: Steps }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  // A step that is done stays until one goes on: it says what it has done.
  const [pinned, setPinned] = useState(steps.next)
  const current = search.step ?? pinned
  const open = (step: StepKey | undefined) => {
    const isOpen = (each: StepKey) => !steps.isDone[each] && !steps.isPassed(each)
    setPinned(stepKeys.find((each) => isOpen(each) && each !== current))
    void navigate({ search: (known) => ({ ...known, step }) })
  }
  const over = stepKeys.filter((step) => steps.isDone[step] || steps.isPassed(step)).length
  return (
    <div className={classes.beside}>
      <nav aria-label={t('Steps')}>
        <Stack gap="xs">
          <Progress
            value={(over / stepKeys.length) * 100}
            size="sm"
            aria-label={t('{over} of {total} steps are behind you', {
              over,
              total: stepKeys.length,
            })}
          />
          <ol className={classes.steps}>
            {stepKeys.map((step) => (
              <li key={step} aria-current={step === current ? 'step' : undefined}>
                <Button
                  variant={step === current ? 'default' : 'subtle'}
                  color="gray"
                  justify="flex-start"
                  fullWidth
                  onClick={() => open(step)}
                >
                  <State kind={steps.isDone[step] ? 'good' : step === current ? 'waiting' : 'off'}>
                    {stepTitles[step]}
                  </State>
                </Button>
              </li>
            ))}
          </ol>
        </Stack>
      </nav>
      {current === undefined ? (
        <AllDone />
      ) : (
        <Card title={stepTitles[current]}>
          <Stack>
            <StepBody step={current} steps={steps} />
            <Group>
              {steps.isDone[current] ? (
                <Button onClick={() => open(undefined)}>{t('Next step')}</Button>
              ) : (
                <Button
                  variant={current === 'dashboard' ? 'filled' : 'subtle'}
                  onClick={() => {
                    steps.pass(current)
                    open(undefined)
                  }}
                >
                  {current === 'dashboard' ? t('Next step') : t('Skip this step')}
                </Button>
              )}
            </Group>
          </Stack>
        </Card>
      )}
    </div>
  )
}

function AllDone() {
  return (
    <Card title={t('That is all')}>
      <Text size="sm">{t('Your fleet is on screen. Each step can be opened again here.')}</Text>
      <Group>
        <LinkButton to="/">{t('Open the overview')}</LinkButton>
      </Group>
    </Card>
  )
}

function StepBody({ step, steps }: { step: StepKey; steps: Steps }) {
  switch (step) {
    case 'network':
      return <NetworkStep networks={steps.networks} />
    case 'devices':
      return <TakeOverStep networks={steps.networks.filter(isConnected)} />
    case 'uplinks':
      return <UplinksStep steps={steps} />
    case 'dashboard':
      return <DashboardStep />
    case 'alerts':
      return (
        <>
          <Text size="sm">{t('Turn on what you want to hear of. Alerts shows it.')}</Text>
          <SuggestedRules suggested={steps.suggestions} />
        </>
      )
    case 'people':
      return (
        <>
          <Text size="sm">
            {t(
              'Make a link for each person. Whoever opens it chooses a password of their own: you need not tell anybody one.',
            )}
          </Text>
          <Group>
            <LinkButton to="/settings/members" variant="default">
              {t('Invite members')}
            </LinkButton>
          </Group>
        </>
      )
  }
}

/** As many links as are seen at a glance; the page of the dashboards has all. */
const mostDashboards = 6

function DashboardStep() {
  const { data } = useApi('GET /dashboards', { query: { made_by: 'service' } })
  return (
    <>
      <Text size="sm">
        {t(
          'Each group and each type of device has a dashboard already. Open one, or make your own.',
        )}
      </Text>
      {data?.data.slice(0, mostDashboards).map(({ id, name }) => (
        <Link key={id} to="/dashboards/$dashboardId" params={{ dashboardId: id }} size="sm">
          {name}
        </Link>
      ))}
      <Group>
        <LinkButton to="/dashboards" variant="default">
          {t('Open the dashboards')}
        </LinkButton>
      </Group>
    </>
  )
}

function UplinksStep({ steps }: { steps: Steps }) {
  const connected = steps.networks.filter(isConnected)
  const byHand = connected.filter(({ capabilities }) => capabilities.callback !== 'by_service')
  if (steps.uplinks > 0) {
    return (
      <>
        <State kind="good">{t('Uplinks have come.')}</State>
        <Link to="/uplinks">{t('Watch them as they come')}</Link>
      </>
    )
  }
  return (
    <>
      <State kind="waiting">{t('Waiting for the first uplink')}</State>
      <Text size="sm">
        {t(
          'It appears here by itself. Most sensors send once an hour: press the button of one, if you do not want to wait.',
        )}
      </Text>
      {byHand.map(({ key, name }) => (
        <Text size="sm" key={key}>
          {rich(
            '{name} must be told where to send uplinks, by hand: <link>copy the address</link>.',
            {
              name,
              link: (text) => (
                <Link to="/networks/$key" params={{ key }}>
                  {text}
                </Link>
              ),
            },
          )}
        </Text>
      ))}
    </>
  )
}
