/** The organization whose vendor accounts are the operator's (decisions.md, "Networks"). */
export const operatorOrganization = 1
