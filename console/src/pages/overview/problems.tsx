import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { State } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import classes from './overview.module.css'
import type { Summary } from './summary.ts'

type Problem = Summary['problems']['silent'][number]

/** The devices that went wrong last, the newest first. */
export function Problems({ summary }: { summary: Summary }) {
  const { problems, devices } = summary
  const isQuiet = problems.silent.length + problems.register_error.length === 0
  return (
    <Card title="Recent problems">
      {isQuiet && (
        <Text size="sm" c="dimmed">
          {devices.total > 0
            ? 'No device fell silent within a week, and no network refused one.'
            : 'Devices that fall silent, or that a network refuses, appear here.'}
        </Text>
      )}
      <Stack gap="md">
        <ProblemList
          title={<State kind="bad">Refused by the network</State>}
          problems={problems.register_error}
          note={(problem) => problem.message}
          more={
            <Link to="/devices" search={{ status: 'register_error' }} size="sm">
              All registration errors ({formatCount(devices.register_error)})
            </Link>
          }
        />
        <ProblemList
          title={<State kind="warn">Fell silent</State>}
          problems={problems.silent}
          note={(problem) => (
            <>
              Last heard <Time value={problem.last_seen} />
            </>
          )}
          more={
            <Link
              to="/devices"
              search={{ verdict: 'silent', sort: 'last_seen', order: 'desc' }}
              size="sm"
            >
              All silent devices ({formatCount(devices.silent)})
            </Link>
          }
        />
      </Stack>
    </Card>
  )
}

interface ProblemListProps {
  title: ReactNode
  problems: readonly Problem[]
  note: (problem: Problem) => ReactNode
  more: ReactNode
}

function ProblemList({ title, problems, note, more }: ProblemListProps) {
  if (problems.length === 0) return null
  return (
    <div>
      <h3 className={classes.subheading}>{title}</h3>
      <ul className={classes.list}>
        {problems.map((problem) => (
          <li key={problem.did}>
            <Link
              to="/devices/$eui"
              params={{ eui: problem.device_id }}
              className={classes.problemName}
            >
              {problem.device_name}
            </Link>
            <span className={classes.note}>{note(problem)}</span>
          </li>
        ))}
      </ul>
      {more}
    </div>
  )
}
