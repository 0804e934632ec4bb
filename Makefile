# Faturei Hoje. `make` alone lists what there is; only Go is needed to run and test.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

TOOLS := $(CURDIR)/.tools
BIN := $(TOOLS)/bin
SPECTRAL := tools/spectral/node_modules/.bin/spectral
SPEC := docs/openapi.json

# Set these on the command line: make test PKG=./internal/sales TESTFLAGS='-run Replay -v'
PKG ?= ./...
TESTFLAGS ?=
TEST_TIMEOUT ?= 15m
# Packages under test at once. Each has a database of its own; two fill two cores.
TEST_PARALLEL ?= 2
# The published contract that openapi-breaking compares with: a tag or a commit.
BASE ?= $(shell git describe --tags --abbrev=0 2>/dev/null)

.PHONY: help
help: ## List these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-18s %s\n", $$1, $$2}'

## Running

.PHONY: build
build: ## Build bin/api
	go build -o bin/api ./cmd/api

.PHONY: run
run: build ## Build the server and start it (brings its own PostgreSQL)
	exec bin/api serve

.PHONY: migrate
migrate: ## Apply the migrations to DATABASE_URL or the default database
	go run ./cmd/api migrate up

.PHONY: verify-ledger
verify-ledger: ## Check the accounts' balances of DATABASE_URL or the default database
	go run ./cmd/api verify-ledger

## Testing

.PHONY: test
test: ## Run every test, with the race detector where a C compiler is there
	@race=-race; \
	if [ "$$(go env CGO_ENABLED)" != 1 ] || ! command -v "$$(go env CC)" >/dev/null; then \
		race=; \
		echo "NOTICE: no race detector: it needs cgo and a C compiler (Debian: apt-get install gcc libc6-dev; unset CGO_ENABLED)." >&2; \
		if [ "$${CI:-}" = true ]; then echo "CI does not test without it." >&2; exit 1; fi; \
	fi; \
	set -x; \
	go run ./internal/testkit/withpostgres -- \
		go test $$race -timeout $(TEST_TIMEOUT) -p $(TEST_PARALLEL) $(TESTFLAGS) $(PKG)

.PHONY: test-tools
test-tools: ## Run the tests of our own tools
	cd tools && go test ./...

.PHONY: bench
bench: ## Measure the server against the numbers in docs (some minutes)
	go run ./internal/bench

.PHONY: screenshots
screenshots: ## Take pictures of the dashboard into var/screenshots (needs chromium)
	mkdir -p var/screenshots
	FH_SCREENSHOT_DIR=$(CURDIR)/var/screenshots go run ./internal/testkit/withpostgres -- \
		go test -count=1 -timeout 10m -run 'Screenshot' ./internal/dashboard/...

## Checking

.PHONY: lint
lint: lint-mod lint-go vuln ## Everything below that reads Go: modules, linters, vulnerabilities

.PHONY: lint-mod
lint-mod: ## Check that go.mod is tidy and pins the same templ as tools/go.mod
	go mod tidy -diff
	@in_root=$$(go list -m -f '{{.Version}}' github.com/a-h/templ 2>/dev/null || true); \
	in_tools=$$(go list -C tools -m -f '{{.Version}}' github.com/a-h/templ); \
	if [ -n "$$in_root" ] && [ "$$in_root" != "$$in_tools" ]; then \
		echo "templ is $$in_root in go.mod, $$in_tools in tools/go.mod: make them equal." >&2; exit 1; \
	fi

.PHONY: lint-go
lint-go: $(BIN)/golangci-lint ## Run the linters of .golangci.yml
	$(BIN)/golangci-lint run ./...

.PHONY: fmt
fmt: $(BIN)/golangci-lint ## Format the Go code as lint-go wants it
	$(BIN)/golangci-lint fmt ./...

.PHONY: vuln
vuln: $(BIN)/vulncheck $(BIN)/govulncheck $(TOOLS)/vulndb/version ## Look for known vulnerabilities that our code calls (no network)
	@echo "vulnerability database: $$(cat $(TOOLS)/vulndb/version)"
	$(BIN)/vulncheck -govulncheck $(BIN)/govulncheck -db $(TOOLS)/vulndb -allow tools/govulncheck-allow.txt ./...

.PHONY: lint-openapi
lint-openapi: $(SPECTRAL) ## Check docs/openapi.json against .spectral.yaml (needs Node)
	$(SPECTRAL) lint --ruleset .spectral.yaml --fail-severity warn $(SPEC)

.PHONY: openapi-breaking
openapi-breaking: $(BIN)/oasdiff ## Fail if docs/openapi.json breaks clients of BASE (default: the last tag)
	@if [ -z "$(BASE)" ] || ! git cat-file -e "$(BASE):$(SPEC)" 2>/dev/null; then \
		echo "openapi-breaking: nothing published to compare with (no tag holds $(SPEC))."; \
	else \
		mkdir -p $(TOOLS) && git show "$(BASE):$(SPEC)" > $(TOOLS)/base-openapi.json && \
		$(BIN)/oasdiff breaking --fail-on ERR $(TOOLS)/base-openapi.json $(SPEC); \
	fi

## Generating

.PHONY: generate
generate: $(BIN)/templ ## Write every generated file anew (commit them with their source)
	PATH="$(BIN):$$PATH" go generate ./...
	@mkdir -p docs $(TOOLS)
	go build -o $(TOOLS)/api ./cmd/api
	$(TOOLS)/api openapi > $(TOOLS)/openapi.json
	$(TOOLS)/api openapi painel > $(TOOLS)/openapi-dashboard.json
	$(TOOLS)/api errors > $(TOOLS)/errors.md
	mv $(TOOLS)/openapi.json $(TOOLS)/openapi-dashboard.json $(TOOLS)/errors.md docs/

## Tools

.PHONY: tools
tools: $(BIN)/golangci-lint $(BIN)/govulncheck $(BIN)/vulncheck $(BIN)/oasdiff $(BIN)/templ $(TOOLS)/vulndb/version ## Build the pinned Go tools into .tools (once; some minutes)

# A tool is built again when its pins change or another Go is installed: a linter
# built with an older Go refuses newer code.
GO_STAMP := $(TOOLS)/$(shell go env GOVERSION)
BUILD_TOOL := go build -trimpath -buildvcs=false

$(GO_STAMP):
	@mkdir -p $(TOOLS)
	@rm -f $(TOOLS)/go1*
	@touch $@

$(BIN)/golangci-lint: tools/golangci-lint/go.mod tools/golangci-lint/go.sum $(GO_STAMP)
	cd tools/golangci-lint && $(BUILD_TOOL) -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

$(BIN)/templ: tools/go.mod tools/go.sum $(GO_STAMP)
	cd tools && $(BUILD_TOOL) -o $@ github.com/a-h/templ/cmd/templ

$(BIN)/oasdiff: tools/go.mod tools/go.sum $(GO_STAMP)
	cd tools && $(BUILD_TOOL) -o $@ github.com/oasdiff/oasdiff

$(BIN)/govulncheck: tools/go.mod tools/go.sum $(GO_STAMP)
	cd tools && $(BUILD_TOOL) -o $@ golang.org/x/vuln/cmd/govulncheck

$(BIN)/vulncheck: $(wildcard tools/vulncheck/*.go) tools/go.mod $(GO_STAMP)
	cd tools && $(BUILD_TOOL) -o $@ ./vulncheck

# The database is made under another name, so that an interrupted run leaves none.
$(TOOLS)/vulndb/version: tools/vulndb/go.mod tools/vulndb/go.sum
	@mkdir -p $(TOOLS)
	cd tools/vulndb && $(BUILD_TOOL) -o $(TOOLS)/indexdb golang.org/x/vulndb/cmd/indexdb
	rm -rf $(TOOLS)/vulndb $(TOOLS)/vulndb.new
	osv=$$(go list -C tools/vulndb -m -f '{{.Dir}}' golang.org/x/vulndb)/data/osv && \
		$(TOOLS)/indexdb -vulns "$$osv" -out $(TOOLS)/vulndb.new
	go list -C tools/vulndb -m -f '{{.Version}}' golang.org/x/vulndb > $(TOOLS)/vulndb.new/version
	mv $(TOOLS)/vulndb.new $(TOOLS)/vulndb
	rm $(TOOLS)/indexdb

$(SPECTRAL): tools/spectral/package.json tools/spectral/package-lock.json
	@command -v npm >/dev/null || { echo "lint-openapi needs Node 20 with npm; nothing else does." >&2; exit 1; }
	cd tools/spectral && npm ci --no-progress
	@touch $@

.PHONY: clean
clean: ## Remove what was built and measured; data (var/) and tools stay
	rm -rf bin var/screenshots coverage*

.PHONY: clean-tools
clean-tools: ## Remove the built tools as well
	rm -rf $(TOOLS) tools/spectral/node_modules
