package main

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/cloudnativelabs/kube-router/v2/pkg/controllers/netpol"
	"github.com/cloudnativelabs/kube-router/v2/pkg/healthcheck"
	"github.com/cloudnativelabs/kube-router/v2/pkg/options"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// enforcePolicies keeps the network policies of one node, by kube-router's controller (iptables and ipset).
// Arguments: kubeconfig, name of the node, range of service addresses. It does not return while all is well.
func enforcePolicies(arguments []string) error {
	if len(arguments) != 3 {
		return errors.New("usage: netpol KUBECONFIG NODE SERVICE-RANGE")
	}
	connection, err := clientcmd.BuildConfigFromFlags("", arguments[0])
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(connection)
	if err != nil {
		return err
	}
	config := options.NewKubeRouterConfig()
	config.EnableIPv4, config.RunFirewall = true, true
	config.HostnameOverride, config.ClusterIPCIDRs = arguments[1], []string{arguments[2]}
	config.IPTablesSyncPeriod = 30 * time.Second

	forever := make(chan struct{})
	factory := informers.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods().Informer()
	namespaces := factory.Core().V1().Namespaces().Informer()
	policies := factory.Networking().V1().NetworkPolicies().Informer()
	factory.Start(forever)
	if !cache.WaitForCacheSync(forever, pods.HasSynced, namespaces.HasSynced, policies.HasSynced) {
		return errors.New("the lists of pods, namespaces and policies do not come")
	}
	tables, sets, err := netpol.NewIPTablesHandlers(config)
	if err != nil {
		return err
	}
	var setLock sync.Mutex
	controller, err := netpol.NewNetworkPolicyController(client, config, pods, policies, namespaces, &setLock, tables, sets)
	if err != nil {
		return err
	}
	handlers := map[cache.SharedIndexInformer]cache.ResourceEventHandler{
		pods: controller.PodEventHandler, namespaces: controller.NamespaceEventHandler, policies: controller.NetworkPolicyEventHandler,
	}
	for informer, handler := range handlers {
		if _, err := informer.AddEventHandler(handler); err != nil {
			return err
		}
	}
	// Nobody asks for its health here, but the controller waits until its heartbeats are taken.
	heartbeats := make(chan *healthcheck.ControllerHeartbeat, 10)
	go func() {
		for range heartbeats {
		}
	}()
	fmt.Fprintln(os.Stderr, "netpol: enforcing")
	var running sync.WaitGroup
	running.Add(1)
	controller.Run(heartbeats, forever, &running)
	return nil
}
