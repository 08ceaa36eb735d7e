import { Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { showAtOnce } from '../../../api/show-at-once.ts'
import { t } from '../../../languages/text.ts'
import { logOut } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { type Column, List } from '../../../ui/list/list.tsx'
import { tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import { nameUserAgent } from './user-agents.ts'

type LoginSession = Answer<'GET /user/sessions'>['data'][number]

/** Where the user is logged in. */
export function SessionsSection() {
  const [isEndingAll, setEndingAll] = useState(false)
  const answer = useApi('GET /user/sessions', { query: { itemsPerPage: 100 } })
  const endOthers = useAction('DELETE /user/sessions', {
    invalidates: ['GET /user/sessions'],
    onSuccess: () => tellSuccess(t('All other sessions have ended.')),
  })
  const hasOthers = answer.data?.data.some(({ current }) => !current) ?? false
  return (
    <Card
      title={t('Sessions')}
      note={t('Every browser and program that is logged in as you, the latest login first.')}
      actions={
        <ActionButton
          variant="default"
          size="xs"
          blockedBy={hasOthers ? undefined : t('There is no other session.')}
          onClick={() => setEndingAll(true)}
        >
          {t('End all others')}
        </ActionButton>
      }
    >
      <List caption={t('Your sessions')} answer={answer} keyOf={({ id }) => id} columns={columns} />
      <Confirm
        opened={isEndingAll}
        title={t('End all other sessions?')}
        action={t('End sessions')}
        onConfirm={() => endOthers.mutateAsync({})}
        onClose={() => setEndingAll(false)}
      >
        {t(
          'Every other browser and program that is logged in as you has to log in again. This one stays logged in.',
        )}
      </Confirm>
    </Card>
  )
}

const columns: readonly Column<LoginSession>[] = [
  { title: t('Program'), cell: (session) => <Program session={session} /> },
  { title: t('Address'), cell: ({ address }) => address ?? '–', isExtra: true },
  { title: t('Last used'), cell: ({ last_used_at }) => <Time value={last_used_at} /> },
  {
    title: t('Logged in'),
    cell: ({ created_at }) => <Time value={created_at} />,
    isExtra: true,
  },
  { title: t('Action'), cell: (session) => <EndButton session={session} /> },
]

function Program({ session }: { session: LoginSession }) {
  const { user_agent, current } = session
  return (
    <>
      <Tooltip label={user_agent ?? t('Unknown program')} multiline maw={420}>
        <Text size="sm" span>
          {nameUserAgent(user_agent)}
        </Text>
      </Tooltip>
      {current && (
        <div>
          <State kind="good">{t('This session')}</State>
        </div>
      )}
    </>
  )
}

function EndButton({ session: { id, current, user_agent } }: { session: LoginSession }) {
  const end = useAction('DELETE /user/sessions/{session_id}', {
    invalidates: ['GET /user/sessions'],
  })
  const name = current
    ? t('Log out')
    : t('End the session of {useragent}', { useragent: nameUserAgent(user_agent) })
  const endNow = async () => {
    const takeBack = showAtOnce('GET /user/sessions', (list) => ({
      ...list,
      data: list.data.filter((session) => session.id !== id),
    }))
    try {
      await end.mutateAsync({ path: { session_id: String(id) } })
    } catch (error) {
      takeBack()
      tellFailure(t('The session did not end'), error)
    }
  }
  const act = () => {
    if (current) logOut().catch((error) => tellFailure(t('You are still logged in'), error))
    else void endNow()
  }
  return (
    <ActionButton size="compact-xs" variant="default" aria-label={name} onClick={act}>
      {current ? t('Log out') : t('End')}
    </ActionButton>
  )
}
