import { Fragment } from 'react'
import { policyNames, policyPaths } from '../lib/policy-names.ts'
import type { useAcceptPolicies } from './use-accept-policies.ts'

interface PolicyListProps {
  policies: ReturnType<typeof useAcceptPolicies>['policies']
  /** So that what is filled in on this page is not lost. */
  newTab?: boolean
}

/** 'Terms of Service and Privacy Policy', as links. */
export function PolicyList({ policies, newTab = false }: PolicyListProps) {
  return policies.map(({ policy }, index) => (
    <Fragment key={policy}>
      {index > 0 && ' and '}
      <a href={policyPaths[policy]} className="link" {...(newTab && { target: '_blank' })}>
        {policyNames[policy]}
      </a>
    </Fragment>
  ))
}
