import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Operations, Schemas } from '../api/generated.ts'
import { useApi } from '../api/hooks.ts'

export type Job = Schemas['Job']
export type JobRow = Schemas['JobRow']
export type NewJob = Operations['POST /jobs']['body']

/** Milliseconds between two looks at a job that goes on. */
const lookInterval = 1000

export function isOpen({ state }: Job): boolean {
  return state === 'queued' || state === 'running' || state === 'receiving'
}

/**
 * A job, polled while it runs. When it is over, everything that it changed is read again: a short
 * one may be over at the first look.
 */
export function useJob(id: number) {
  const client = useQueryClient()
  const parts = { path: { job_id: String(id) } }
  const query = useApi('GET /jobs/{job_id}', parts)
  const job = query.data?.data
  const isGoingOn = job !== undefined && isOpen(job)
  // A second reader of the same answer, for as long as it changes.
  const looks = { enabled: isGoingOn, refetchInterval: lookInterval }
  useApi('GET /jobs/{job_id}', parts, looks)
  const idOver = job && !isGoingOn ? job.id : undefined
  useEffect(() => {
    if (idOver === undefined) return
    // Devices, groups, counts and the list of jobs: anything may have changed.
    void client.invalidateQueries({ predicate: ({ queryKey }) => !isJobKey(queryKey[0]) })
  }, [client, idOver])
  return { ...query, job }
}

function isJobKey(operation: unknown): boolean {
  return typeof operation === 'string' && operation.startsWith('GET /jobs/{job_id}')
}
