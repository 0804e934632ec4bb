package finance

import (
	"context"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
)

// Seed gives a new company what it starts with: the account Caixa, which is the
// default, and a tree of categories.
func (s *Service) Seed(ctx context.Context, tx *db.Tx) error {
	cash := Account{
		ID: id.New(), Name: "Caixa", Kind: KindCash, IsDefault: true, OpeningDate: civil.DateOf(tx.Now(), auth.CallerFrom(ctx).Location()),
		CreatedAt: tx.Now(), UpdatedAt: tx.Now(), Version: 1,
	}
	if err := insertAccount(ctx, tx, &cash); err != nil {
		return err
	}
	return insertCategories(ctx, tx, defaultTree(tx))
}

type branch struct {
	kind, name string
	leaves     []string
}

func defaultBranches() []branch {
	return []branch{
		{Income, "Vendas", []string{"Venda de produtos", "Prestação de serviços"}},
		{Income, "Receitas financeiras", []string{"Rendimentos", "Juros recebidos"}},
		{Income, "Outras receitas", []string{"Reembolsos", "Aportes dos sócios"}},
		{Expense, "Custos", []string{"Mercadorias", "Matéria-prima e insumos", "Serviços de terceiros", "Fretes"}},
		{Expense, "Pessoal", []string{"Salários", "Pró-labore", "Encargos", "Benefícios"}},
		{Expense, "Ocupação", []string{"Aluguel", "Água, luz e gás", "Telefone e internet", "Manutenção"}},
		{Expense, "Vendas e marketing", []string{"Publicidade", "Comissões"}},
		{Expense, "Administrativas", []string{"Contabilidade", "Material de escritório", "Software e assinaturas", "Transporte e viagens"}},
		{Expense, "Impostos", []string{"Simples Nacional", "ISS", "ICMS", "Outras taxas"}},
		{Expense, "Despesas financeiras", []string{"Tarifas bancárias", "Taxas de cartão", "Juros e multas"}},
		{Expense, "Outras despesas", []string{"Retiradas dos sócios", "Investimentos"}},
	}
}

// defaultTree makes the categories, each parent before its children.
func defaultTree(tx *db.Tx) []Category {
	var all []Category
	add := func(name, kind string, position int) *Category {
		all = append(all, Category{
			ID: id.New(), Name: name, Kind: kind, Position: position, CreatedAt: tx.Now(), UpdatedAt: tx.Now(), Version: 1,
		})
		return &all[len(all)-1]
	}
	for i, b := range defaultBranches() {
		parent := add(b.name, b.kind, i+1).ID
		for j, leaf := range b.leaves {
			add(leaf, b.kind, j+1).ParentID = &parent
		}
	}
	return all
}
