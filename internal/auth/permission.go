package auth

import "slices"

// Permission allows one kind of access to one kind of resource, such as
// clients:write. API keys carry them as scopes, members as permissions.
type Permission = string

// Manage is what owners and admins have and nobody can be granted: members,
// other people's API keys, the company's settings.
const Manage Permission = "manage"

// Roles of a member. Owners and admins have every permission.
const (
	RoleOwner  = "owner"
	RoleAdmin  = "admin"
	RoleMember = "member"
)

// Permissions returns every permission that can be granted, in the order of
// the documentation. The slice is the caller's.
func Permissions() []Permission {
	resources := []string{
		"clients", "leads", "tasks", "appointments", "service_orders",
		"quotes", "products", "services", "sales", "finance",
	}
	all := make([]Permission, 0, 2*len(resources))
	for _, r := range resources {
		all = append(all, r+":read", r+":write")
	}
	return all
}

// Unknown returns the permissions that do not exist.
func Unknown(permissions []Permission) []Permission {
	known := Permissions()
	return slices.DeleteFunc(slices.Clone(permissions), func(p Permission) bool { return slices.Contains(known, p) })
}
