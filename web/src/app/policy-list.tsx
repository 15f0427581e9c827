import { Fragment } from 'react'
import { policyNames, policyPaths } from '../shared/policies/policy-names.ts'
import type { useAcceptPolicies } from './use-accept-policies.ts'

interface PolicyListProps {
  policies: ReturnType<typeof useAcceptPolicies>['policies']
  /** Opens links in a new tab, so that entries on this page are not lost. */
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
